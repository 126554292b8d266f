import Domain
import EventLog
import Foundation
import Postgres
import ReadModels
import TestSupport
import Vault

@testable import Service

/// The use cases of accounts and sightings over a log of their own; read models follow when told to.
struct UseCaseFixture: Sendable {
    let log: ImportFixture
    let accounts: AccountService
    let sightings: SightingService
    let findings: FindingReader
    let records: PublicReader
    let directory: AccountDirectory
    private let catalogue: Catalogue

    /// Runs a test with the taxa of ``ImportFixture/smallTaxa``.
    static func run(_ body: @Sendable (UseCaseFixture) async throws -> Void) async throws {
        try await ImportFixture.run(models: ReadModel.all) { log in
            let catalogue = Catalogue(SmallTaxa(), logger: .quiet)
            try await catalogue.refresh()
            try await body(UseCaseFixture(log, catalogue))
        }
    }

    private init(_ log: ImportFixture, _ catalogue: Catalogue) throws {
        let store = StreamStore(reader: log.reader, appender: log.appender)
        self.log = log
        self.catalogue = catalogue
        let mail = MailQueue(mails: Mails(database: log.pool), codes: MailCodes(database: log.pool))
        directory = AccountDirectory(store, AccountQueries(log.pool), logger: .quiet)
        accounts = AccountService(
            store: store, contents: ContentStore(database: log.pool), reservations: Reservations(database: log.pool),
            passwords: PasswordHasher(cost: .least),
            policy: try PasswordPolicy(contentsOf: PackageRoot.path + "/share/passwords/common.txt"),
            places: log.places, signer: CommandSigner(key: [1]), mail: mail, directory: directory,
            admins: AccountQueries(log.pool), claims: Claims(database: log.pool),
            quotas: UseCaseQuotas(.none), now: { .now })
        sightings = Self.sightings(store, log, catalogue)
        findings = FindingReader(log.pool, catalogue: catalogue)
        records = PublicReader(log.pool, catalogue: catalogue)
    }

    /// The same use cases with another way into the log.
    func sightings(appendingBy appender: Appender) -> SightingService {
        Self.sightings(StreamStore(reader: log.reader, appender: appender), log, catalogue)
    }

    /// Accounts for which another policy holds.
    func accounts(with policy: PasswordPolicy) -> AccountService {
        AccountService(
            store: accounts.store, contents: accounts.contents, reservations: accounts.reservations,
            passwords: accounts.passwords, policy: policy, places: accounts.places, signer: accounts.signer,
            mail: accounts.mail, directory: directory,
            admins: AccountQueries(log.pool), claims: Claims(database: log.pool),
            quotas: UseCaseQuotas(.none), now: { .now })
    }

    private static func sightings(
        _ store: StreamStore, _ log: ImportFixture, _ catalogue: Catalogue
    ) -> SightingService {
        SightingService(
            store: store, contents: ContentStore(database: log.pool), publicIDs: PublicIDs(log.pool),
            photos: OwnedPhotos(log.pool), accounts: AccountDirectory(store, AccountQueries(log.pool), logger: .quiet),
            reservations: Reservations(database: log.pool), catalogue: catalogue,
            targets: TargetDirectory(TargetQueries(log.pool), catalogue: catalogue, logger: .quiet), places: log.places,
            zones: SystemZoneRules(),
            signer: CommandSigner(key: [1]), now: { ImportFixture.now })
    }

    /// Folds what is new into every read model.
    /// - Returns: the head.
    @discardableResult
    func follow() async throws -> Int64 {
        let (head, progress) = (HeadSignal(), ModelProgress())
        for model in ReadModel.all {
            try await Follower(model, pool: log.pool, head: head, progress: progress, logger: .quiet).catchUp()
        }
        return try await log.head()
    }

    /// Turns the payload at a position into a tombstone.
    func redact(_ position: Int64) async throws {
        _ = try await log.database.withConnection(log.database.owner) { owner in
            try await Redaction.redact(position: position, reason: RedactionReason.place.rawValue, owner)
        }
    }
}

extension UseCaseFixture {
    static func signUp(_ email: String = "\(UUID())@example.org") throws -> SignUp {
        SignUp(
            email: try EmailAddress(email), password: "seven wrens in a hedge", name: try PersonName("Ada Wren"),
            oldEnough: true)
    }

    /// A birder's account.
    func birder(_ change: (inout SignUp) throws -> Void = { _ in }) async throws -> AccountID {
        var signUp = try Self.signUp()
        try change(&signUp)
        return try await accounts.register(signUp, key: UUID()).id
    }

    /// A submission that breaks no rule.
    static func wren(_ change: (inout SightingRequest) throws -> Void = { _ in }) throws -> SightingRequest {
        var request = SightingRequest()
        request.name = .set(try VerbatimName("Winter Wren"))
        request.notes = .set(try Note("in the salal"))
        request.observedAt = try ObservationTime("2026-05-01")
        (request.latitude, request.longitude) = (47.6577, -122.4056)
        request.changes.confidence = try Confidence(8)
        try change(&request)
        return request
    }

    /// A merge patch.
    static func patch(_ change: (inout SightingRequest) throws -> Void) throws -> SightingRequest {
        var request = SightingRequest()
        try change(&request)
        return request
    }
}

/// The catalogue's taxa.
private struct SmallTaxa: Catalogue.Source {
    func changed(since position: Int64) async throws -> Bool { position == 0 }

    func taxa() async throws -> (entries: [TaxonEntry], position: Int64) { (ImportFixture.smallTaxa, 1) }
}

/// Runs commands at once.
/// - Returns: their outcomes, and the descriptions of the errors of those that failed.
func atOnce<Value: Sendable>(
    _ commands: [@Sendable () async throws -> Value]
) async -> (outcomes: [Value], failures: [String]) {
    await withTaskGroup(of: Result<Value, any Error>.self) { group in
        for command in commands {
            group.addTask {
                do { return .success(try await command()) } catch { return .failure(error) }
            }
        }
        var (outcomes, failures): ([Value], [String]) = ([], [])
        for await result in group {
            switch result {
            case .success(let outcome): outcomes.append(outcome)
            case .failure(let error): failures.append("\(error)")
            }
        }
        return (outcomes, failures)
    }
}

/// The description of the error that a command fails with; nil if it succeeds.
func failure<Value>(of command: () async throws -> Value) async -> String? {
    do {
        _ = try await command()
        return nil
    } catch {
        return "\(error)"
    }
}
