/// The role and the database that every private server has.
struct ServerBootstrap: Sendable {
    let control: ServerControl

    /// Makes what is missing. Safe to repeat: one who was killed half way leaves nothing that looks finished.
    func run() async throws(PrivateServerError) {
        let state = try await control.query(
            """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = '\(PrivateServer.Role.service.rawValue)'),
                   EXISTS (SELECT FROM pg_catalog.pg_database WHERE datname = '\(PrivateServer.database)'),
                   EXISTS (SELECT FROM pg_catalog.pg_available_extensions WHERE name = 'postgis')
            """, database: "postgres")
        let exists = state.split(separator: "|").map { $0 == "t" }
        guard exists.count == 3 else {
            throw .failed(program: control.programs.psql, status: 0, output: state)
        }
        guard exists[2] else { throw .postgisNotInstalled(majorVersion: control.programs.majorVersion) }
        if !exists[0] {
            try await control.query("CREATE ROLE \(PrivateServer.Role.service.rawValue) LOGIN", database: "postgres")
        }
        if !exists[1] { try await makeDatabase() }
    }

    /// Under another name until PostGIS is in it, so that a database of the final name is complete.
    private func makeDatabase() async throws(PrivateServerError) {
        let unfinished = PrivateServer.database + "_unfinished"
        try await control.query(
            "DROP DATABASE IF EXISTS \(unfinished) WITH (FORCE)", "CREATE DATABASE \(unfinished)", database: "postgres")
        try await control.query("CREATE EXTENSION postgis", database: unfinished)
        try await control.query(
            "ALTER DATABASE \(unfinished) RENAME TO \(PrivateServer.database)", database: "postgres")
    }
}
