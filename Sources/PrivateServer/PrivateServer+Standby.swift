import Bytes
package import Logging

extension PrivateServer {
    /// Creates a streaming standby of this server with `pg_basebackup`, and starts it.
    ///
    /// - Parameters:
    ///   - dataDirectory: a directory without a cluster.
    ///   - settings: as for ``startOrAdopt(dataDirectory:settings:logger:)``.
    /// - Throws: ``PrivateServerError``, `FileLock.Failure`, or `CancellationError` while waiting.
    package func startStandby(
        dataDirectory: String, settings: PrivateServerSettings = .development, logger: Logger
    ) async throws -> PrivateServer {
        let home = try await ServerHome.prepare(dataDirectory: dataDirectory, logger: logger)
        try Folder.makePrivate(home.cluster, for: home.account)
        try await home.account.process([
            control.programs.directory + "/pg_basebackup", "--host=\(socketDirectory)", "--port=\(Self.port)",
            "--username=\(Role.owner.rawValue)", "--pgdata=\(home.cluster)", "--checkpoint=fast",
            "--write-recovery-conf",
        ]).runChecked()
        return try await Self.startOrAdopt(home: home, settings: settings, logger: logger)
    }

    /// A connection URL with several servers.
    /// - Parameter toWrite: libpq takes the one that accepts writes.
    package static func url(
        of servers: [PrivateServer], database: String = PrivateServer.database, user: Role = .service,
        toWrite: Bool = true
    ) -> String {
        let hosts = servers.map { "\(PercentEncoding.encode($0.socketDirectory)):\(port)" }
        return "postgresql://\(user.rawValue)@\(hosts.joined(separator: ","))/\(PercentEncoding.encode(database))"
            + (toWrite ? "?target_session_attrs=read-write&connect_timeout=5" : "")
    }
}
