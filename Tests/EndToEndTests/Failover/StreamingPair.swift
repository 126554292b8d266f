import Foundation
import Logging
import TestSupport
import Testing

@testable import PrivateServer

/// A private PostgreSQL and a streaming standby of it.
struct StreamingPair: Sendable {
    let primary: PrivateServer
    let standby: PrivateServer

    private static let logger = Logger(label: "pair") { _ in SwiftLogNoOpLogHandler() }

    /// Makes both, with the standby following, and stops what is left of them afterwards.
    static func run(in folder: String, _ body: (StreamingPair) async throws -> Void) async throws {
        let primary = try await server(in: folder + "/one")
        let standby = try await primary.startStandby(dataDirectory: folder + "/two", settings: .tests, logger: logger)
        let pair = StreamingPair(primary: primary, standby: standby)
        let result: Result<Void, any Error>
        do { result = .success(try await body(pair)) } catch { result = .failure(error) }
        _ = try? await primary.stop(mode: .immediate)
        _ = try? await standby.stop(mode: .immediate)
        try result.get()
    }

    /// A private PostgreSQL.
    static func server(in folder: String) async throws -> PrivateServer {
        try await PrivateServer.startOrAdopt(dataDirectory: folder, settings: .tests, logger: logger)
    }

    /// A URL with both servers, of which libpq takes the one that writes.
    func url(_ user: PrivateServer.Role) -> String {
        PrivateServer.url(of: [primary, standby], user: user)
    }

    /// Commits wait for the standby from now on.
    func makeSynchronous() async throws {
        try await primary.query("alter system set synchronous_standby_names = '*'", database: "postgres")
        try await primary.query("select pg_reload_conf()", database: "postgres")
        try await until { try await primary.query("select sync_state from pg_stat_replication") == "sync" }
    }

    /// Returns when the standby has replayed all that the primary has written.
    func catchUp() async throws {
        let written = try await primary.query("select pg_current_wal_lsn()")
        try await until("the standby does not follow") {
            try await standby.query("select pg_last_wal_replay_lsn() >= '\(written)'::pg_lsn") == "t"
        }
    }

    /// Lets the standby receive all there is, and then no more.
    func stopReplication() async throws {
        try await catchUp()
        try await standby.query("alter system set primary_conninfo = ''", database: "postgres")
        try await standby.query("select pg_reload_conf()", database: "postgres")
        try await until { try await primary.query("select count(*) from pg_stat_replication") == "0" }
    }

    /// The primary dies, the standby takes over.
    func failOver() async throws {
        try await primary.interrupt(mode: .immediate)
        try await standby.query("select pg_promote()", database: "postgres")
    }
}
