import Foundation
import Logging
import TestSupport
import Testing

@testable import Postgres

@Suite(.hangs) struct ConnectTests {
    @Test func `sessions have their settings`() async throws {
        try await withConnection {
            $0.applicationName = "a name"
            $0 = $0.with(statementTimeout: .seconds(7), lockTimeout: .seconds(8), idleInTransactionTimeout: .seconds(9))
            $0 = $0.with(options: ["search_path": "pg_catalog, public"])
        } _: { connection in
            let row = try #require(
                try await connection.query(
                    """
                    SELECT current_setting('application_name') AS name, current_setting('synchronous_commit') AS sync,
                        current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
                        current_setting('idle_in_transaction_session_timeout') AS idle,
                        current_setting('TimeZone') AS zone, current_setting('client_encoding') AS encoding,
                        current_setting('search_path') AS path, pg_backend_pid() AS pid
                    """
                ).first)
            #expect(try row.decode("name") == "a name")
            #expect(try row.decode("sync") == "on")
            #expect(try row.decode("statement") == "7s")
            #expect(try row.decode("lock") == "8s")
            #expect(try row.decode("idle") == "9s")
            #expect(try row.decode("zone") == "UTC")
            #expect(try row.decode("encoding") == "UTF8")
            #expect(try row.decode("path") == "pg_catalog, public")
            #expect(try row.decode("pid", as: Int32.self) == connection.backendPID)
            #expect(!connection.usesTLS)
        }
    }

    @Test func `what cannot be reached is said so`() async throws {
        for string in ["host=/tmp/no-such-directory user=x", "host=127.0.0.1 port=1 user=x"] {
            let error = await failure { try await connect(string) }
            #expect(error?.kind == .connectionFailed)
            #expect(error?.wasSent == false)
        }
    }

    @Test func `rejections are said so`() async throws {
        let folder = try await TestServer.shared.directory
        let error = await failure { try await connect("host=\(folder) user=skein dbname=absent") }
        #expect(error?.kind == .connectionFailed)
        #expect(error?.message.contains("absent") == true)
    }

    @Test func `a server that says nothing is given up`() async throws {
        let silent = try Listening()
        var configuration = try PostgresConfiguration("host=127.0.0.1 port=\(silent.port) user=x sslmode=disable")
        configuration.connectTimeout = .milliseconds(100)
        #expect(await failure { try await PostgresConnection.connect(configuration, logger: .quiet) }?.kind == .timeout)
    }

    @Test func `a host that says nothing leaves time for the next`() async throws {
        let silent = try Listening()
        let server = try await TestServer.shared.directory
        // Two seconds for each: the silent host would take all ten, and a busy machine may need more than two.
        let hosts = ["127.0.0.1"] + Array(repeating: server, count: 4)
        var configuration = try PostgresConfiguration(
            "host=\(hosts.joined(separator: ",")) port=\(silent.port),5432,5432,5432,5432 user=skein sslmode=disable"
        )
        .with(database: "postgres")
        configuration.connectTimeout = .seconds(10)
        let connection = try await PostgresConnection.connect(configuration, logger: .quiet)
        await connection.close()
    }

    @Test func `a cancelled task stops connecting`() async throws {
        let silent = try Listening()
        let task = Task {
            await failure { try await connect("host=127.0.0.1 port=\(silent.port) user=x sslmode=disable") }
        }
        try await until { silent.hasClient }
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
    }

    private func connect(_ string: String) async throws -> PostgresConnection {
        try await PostgresConnection.connect(try PostgresConfiguration(string), logger: .quiet)
    }
}

/// Encryption and the certificate's name are libpq's work; that we ask for it rightly is ours.
@Suite(.hangs) struct TLSTests {
    /// On a port that was free a moment ago; where another process has taken it meanwhile, on another.
    private func startServer(_ certificates: Certificates, attempts: Int = 5) async throws -> (TestServer, UInt16) {
        let port = try Listening.freePort()
        do {
            let server = try await TestServer(
                settings: [
                    "listen_addresses = '127.0.0.1'", "port = \(port)", "ssl = on", "ssl_cert_file = '@/server.crt'",
                    "ssl_key_file = '@/server.key'",
                ],
                files: [
                    "server.crt": certificates.certificate, "server.key": certificates.key,
                    "hba.conf": "hostssl all all 127.0.0.1/32 trust\nlocal all all trust\n",
                ])
            return (server, port)
        } catch is TestServer.NotStarted where attempts > 1 {
            return try await startServer(certificates, attempts: attempts - 1)
        }
    }

    @Test func `the servers name is verified`() async throws {
        let certificates = try await blocking { try Certificates() }
        defer { certificates.remove() }
        let (server, port) = try await startServer(certificates)
        defer { withExtendedLifetime(server) {} }
        let base = "port=\(port) user=skein dbname=postgres sslmode=verify-full"
        let rootCertificate = "sslrootcert=\(certificates.directory)/ca.crt"
        func connect(_ more: String) async throws -> PostgresConnection {
            try await PostgresConnection.connect(try PostgresConfiguration("\(base) \(more)"), logger: .quiet)
        }

        let connection = try await connect("host=localhost hostaddr=127.0.0.1 \(rootCertificate)")
        #expect(connection.usesTLS)
        try await expectAnswer(from: connection)
        let large = [UInt8](repeating: 7, count: 3_000_000)
        #expect(try await connection.query("SELECT \(large) AS b").first?.decode("b") == large)
        var size = 0
        for try await chunk in try await connection.copyOut(
            "COPY (SELECT repeat('x', 9000) FROM generate_series(1, 2000)) TO STDOUT")
        {
            size += chunk.count
        }
        #expect(size == 2000 * 9001)
        await connection.close()

        let wrongHost = await failure { try await connect("host=example.org hostaddr=127.0.0.1 \(rootCertificate)") }
        #expect(wrongHost?.kind == .connectionFailed)
        #expect(wrongHost?.message.contains("does not match host name") == true)
        let unknownIssuer = await failure {
            try await connect("host=localhost hostaddr=127.0.0.1 sslrootcert=\(certificates.directory)/other.crt")
        }
        #expect(unknownIssuer?.kind == .connectionFailed)
        let unencrypted = await failure { try await connect("host=localhost hostaddr=127.0.0.1 sslmode=disable") }
        #expect(unencrypted?.kind == .connectionFailed)
    }
}
