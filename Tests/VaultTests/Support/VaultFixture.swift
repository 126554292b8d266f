import Domain
import Foundation
import Logging
import Postgres
import TestSupport

/// A migrated database, with connections of the service's and one of the owner's.
struct VaultFixture: Sendable {
    let database: TestDatabase
    let service: PostgresConnection
    let owner: PostgresConnection

    /// Opens another connection as the service; closed by the database's end at the latest.
    func anotherConnection() async throws -> PostgresConnection {
        try await PostgresConnection.connect(database.service, logger: .quiet)
    }

    /// Writes a content row as the append would.
    func write(_ value: String?, field: String, of stream: UUID, at position: Int64) async throws {
        try await owner.query(
            """
            INSERT INTO vault.content (stream, field, position, value)
            VALUES (\(stream), \(field), \(position), \(value as String?))
            """)
    }

    /// Makes a reservation as the append would.
    func reserve(_ kind: String, _ digest: [UInt8], for holder: UUID) async throws {
        try await owner.query(
            "INSERT INTO vault.reservations (kind, value, holder, position) VALUES (\(kind), \(digest), \(holder), 1)")
    }

    /// A number that a statement gives.
    func count(_ sql: SQL) async throws -> Int64 {
        try await owner.query(sql).rows.reduce(0) { $0 + (try $1.decode(0, as: Int64.self)) }
    }
}

extension Logger {
    /// Says nothing.
    static let quiet = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
}

/// Runs a test with a database of its own.
func withVault<Value: Sendable>(_ body: (VaultFixture) async throws -> Value) async throws -> Value {
    try await withTestDatabase { database in
        try await database.withConnection(database.service) { service in
            try await database.withConnection(database.owner) { owner in
                try await body(VaultFixture(database: database, service: service, owner: owner))
            }
        }
    }
}
