extension PostgresConfiguration {
    /// A copy for each host of a connection string with several, in their order.
    ///
    /// - Throws: ``PostgresError/Kind/configuration`` if the numbers of hosts and ports differ.
    /// - Source: libpq, "Specifying Multiple Hosts".
    package func eachHost() throws(PostgresError) -> [PostgresConfiguration] {
        let (hosts, ports) = (Self.list(host), Self.list(port).map { $0.isEmpty ? "5432" : $0 })
        guard ports.count == 1 || ports.count == hosts.count else {
            throw PostgresError(
                .configuration, "the connection string has \(hosts.count) hosts and \(ports.count) ports",
                wasSent: false)
        }
        // Whatever the server is, it answers, and the caller looks at it.
        return hosts.enumerated().map { index, host in
            with(parameters: [
                "host": host, "port": ports.count == 1 ? ports[0] : ports[index], "target_session_attrs": "any",
            ])
        }
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
