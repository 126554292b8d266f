import Domain
import Foundation
import Logging
import NIOConcurrencyHelpers
import Postgres
import TestSupport
import Vault

@testable import Service

/// Accounts whose addresses and passwords are in the vault, and whose roles a test sets.
final class AccountsInVault: AccountLookup {
    private let records: PasswordRecords
    private let roles = NIOLockedValueBox<[AccountID: Set<Role>]>([:])

    init(database: any PostgresQuerying) {
        records = PasswordRecords(database: database)
    }

    func set(_ roles: Set<Role>, of account: AccountID) {
        self.roles.withLockedValue { $0[account] = roles }
    }

    func close(_ account: AccountID) {
        roles.withLockedValue { $0[account] = nil }
    }

    func passwordRecord(for address: EmailAddress) async throws -> PasswordRecord? {
        try await records.find(address)
    }

    func standing(of account: AccountID) async throws -> AccountStanding? {
        roles.withLockedValue { $0[account] }.map { AccountStanding(roles: $0) }
    }
}

/// Everything a sign-in needs, over a database of its own.
struct SessionsFixture: Sendable {
    let service: PostgresConnection
    let owner: PostgresConnection
    let time: TestTime
    let accounts: AccountsInVault
    let hasher: PasswordHasher
    let refreshTokens: RefreshTokens
    let accessTokens: AccessTokens
    let sessions: Sessions

    init(service: PostgresConnection, owner: PostgresConnection, cost: ScryptCost) {
        self.service = service
        self.owner = owner
        time = TestTime()
        accounts = AccountsInVault(database: service)
        hasher = PasswordHasher(cost: cost)
        refreshTokens = RefreshTokens(database: service)
        accessTokens = AccessTokens(keys: SigningKeys(database: service), now: time.now)
        sessions = Sessions(
            accounts: accounts, passwords: hasher, refreshTokens: refreshTokens, accessTokens: accessTokens,
            guesses: RequestQuota(nil), now: time.now)
    }

    /// The sessions of another process of the service.
    func anotherProcess() -> (accessTokens: AccessTokens, upkeep: SessionUpkeep) {
        let tokens = AccessTokens(keys: SigningKeys(database: service), now: time.now)
        let upkeep = SessionUpkeep(
            accessTokens: tokens, refreshTokens: refreshTokens, logger: .quiet, now: time.now)
        return (tokens, upkeep)
    }

    /// Registers as the append would: a reservation and a content row.
    func register(_ email: String, _ password: String, roles: Set<Role> = [.birder]) async throws -> AccountID {
        let account = AccountID(UUID())
        let digest = Reservation.email(try EmailAddress(email)).digest
        let record = try await hasher.record(of: password)
        try await owner.query(
            """
            INSERT INTO vault.reservations (kind, value, holder, position)
            VALUES ('email', \(digest), \(account.uuid), 1)
            """)
        try await owner.query(
            """
            INSERT INTO vault.content (stream, field, position, value)
            VALUES (\(account.uuid), 'password', 1, \(record))
            """)
        accounts.set(roles, of: account)
        return account
    }

    /// The number of sessions that have not ended.
    var openSessions: Int {
        get async throws {
            try await owner.query("SELECT FROM vault.sessions WHERE ended_at IS NULL").count
        }
    }
}

extension Logger {
    /// Says nothing.
    static let quiet = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
}

/// Runs a test with a database of its own.
func withSessions<Value: Sendable>(
    cost: ScryptCost = .least, _ body: (SessionsFixture) async throws -> Value
) async throws -> Value {
    try await withTestDatabase { database in
        try await database.withConnection(database.service) { service in
            try await database.withConnection(database.owner) { owner in
                try await body(SessionsFixture(service: service, owner: owner, cost: cost))
            }
        }
    }
}
