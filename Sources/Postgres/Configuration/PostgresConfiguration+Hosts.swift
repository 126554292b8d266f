extension PostgresConfiguration {
    /// A copy for each host of a connection string with several, in their order, that takes whatever server is there.
    ///
    /// - Throws: ``PostgresError/Kind/configuration`` if the numbers of hosts and ports differ.
    package func eachHost() throws(PostgresError) -> [PostgresConfiguration] {
        try hosts().map { $0.with(parameters: ["target_session_attrs": "any"]) }
    }

    /// A copy for each host, which rejects the servers that the connection string does not want.
    ///
    /// - Throws: ``PostgresError/Kind/configuration`` if the numbers of hosts and ports differ.
    /// - Source: libpq, "Specifying Multiple Hosts".
    func hosts() throws(PostgresError) -> [PostgresConfiguration] {
        let (hosts, ports) = (Self.list(host), Self.list(port).map { $0.isEmpty ? "5432" : $0 })
        guard ports.count == 1 || ports.count == hosts.count else {
            throw PostgresError(
                .configuration, "the connection string has \(hosts.count) hosts and \(ports.count) ports",
                wasSent: false)
        }
        let addresses = Self.list(value("hostaddr"))
        return hosts.enumerated().map { index, host in
            var parameters = ["host": host, "port": ports.count == 1 ? ports[0] : ports[index]]
            if addresses.count == hosts.count { parameters["hostaddr"] = addresses[index] }
            return with(parameters: parameters)
        }
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
