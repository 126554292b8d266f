import Domain
import EventLog
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Postgres
import ReadModels
import TestSupport
import Testing
import Vault

@testable import Imports
@testable import Service
@testable import Web
@testable import WebAPI

/// The program's routes and use cases over a database of their own, without a socket.
struct ServedRoutes: Sendable {
    /// Of the suite that runs.
    @TaskLocal static var current: ServedRoutes?
    /// The clock of `asOf` and of sealed positions, for requests of the task; nil: the real one.
    @TaskLocal static var now: Instant?

    let cases: UseCases
    let database: TestDatabase
    let routes: [Route]
    let client: any TestClientProtocol
    let logger: Logger
    /// Receives the mails that ``mail(to:)`` sends.
    let mailbox = Mailbox()

    /// The fixture of the suite; a test outside of one has none.
    static var required: ServedRoutes {
        get throws { try #require(current, "the suite has no routes: it lacks the trait .routes") }
    }

    /// The list of routes, for tests that send no request.
    static let list = Result {
        let nowhere = try PostgresConfiguration("postgresql://nobody@localhost/nothing")
        let logger = Logger(label: "routes") { _ in SwiftLogNoOpLogHandler() }
        let cases = try UseCases(
            nowhere, share: share, pool: PostgresPool(nowhere, logger: logger),
            origin: LogStart(epoch: 1, position: 0, key: []), photos: try TestPhotos.settings(),
            exports: TestExports.settings(), logger: logger)
        return api(cases).routes(groups(cases))
    }

    private static let share = PackageRoot.path + "/share"

    /// Limits that only a hang reaches.
    static let wideLimits: DatabaseLimits = {
        var limits = DatabaseLimits()
        (limits.timeout, limits.mapTimeout) = (Hang.deadline, Hang.deadline)
        return limits
    }()

    static func groups(_ cases: UseCases) -> [any RouteGroup] {
        cases.routes(
            document: PackageRoot.path + "/openapi.yaml", about: PackageRoot.path + "/docs/about.md", share: share)
    }

    /// Clients without a socket have the address that they say.
    private static func api(_ cases: UseCases, _ settings: APISettings? = nil) -> SkeinAPI {
        var settings =
            settings ?? APISettings(accountLimits: .none, clientLimit: nil, credentialLimit: nil, recoveryLimit: nil)
        settings.trustedProxies = 1
        return SkeinAPI(
            verifier: cases.accounts.callers, metrics: MetricRegistry(),
            readiness: StubReadiness(report: ReadinessReport([.init("database", .ready)])), settings: settings)
    }

    /// Runs something with a few taxa in the log and every read model followed.
    /// - Parameters:
    ///   - watch: sees the statements of requests; those of the followers have connections of their own.
    ///   - capture: receives the log.
    ///   - limits: of the database, for tests of these.
    ///   - settings: the quotas of routes, for tests of these; nil for none.
    ///   - quotas: of use cases, for tests of these.
    ///   - photos: where photos are kept, and what accounts may send.
    ///   - exports: where exports are kept, and how many and how large they may be.
    static func run(
        watchedBy watch: StatementWatch? = nil, loggingTo capture: LogCapture? = nil,
        limits: DatabaseLimits = wideLimits,
        settings: APISettings? = nil, quotas: UseCaseLimits = .none, photos: PhotoSettings? = nil,
        exports: ExportSettings? = nil,
        unverifiedSightings: Int? = nil, _ body: @Sendable (ServedRoutes) async throws -> Void
    ) async throws {
        try await withTestDatabase(models: ReadModel.all) { database in
            try await serve(
                database, watchedBy: watch, loggingTo: capture, limits: limits, settings: settings, quotas: quotas,
                photos: photos, exports: exports, unverifiedSightings: unverifiedSightings, body)
        }
    }

    /// The same over a database that may have been served before.
    /// - Parameter plans: the server's `plan_cache_mode`.
    static func serve(
        _ database: TestDatabase, watchedBy watch: StatementWatch? = nil, planning plans: String = "auto",
        loggingTo capture: LogCapture? = nil, limits: DatabaseLimits = wideLimits,
        settings: APISettings? = nil, quotas: UseCaseLimits = .none, photos: PhotoSettings? = nil,
        exports: ExportSettings? = nil,
        unverifiedSightings: Int? = nil, _ body: @Sendable (ServedRoutes) async throws -> Void
    ) async throws {
        let log = watch?.log ?? capture ?? LogCapture()
        var logger = log.logger()
        logger.logLevel = watch == nil ? .info : .debug
        var session = watch?.sessions(of: database, planning: plans) ?? database.service
        (session.statementDeadline, session.connectTimeout) = (limits.timeout, limits.timeout)
        let pool = PostgresPool(session, .requests(limits), logger: logger)
        let quiet = Logger(label: "models") { _ in SwiftLogNoOpLogHandler() }
        let models = PostgresPool(database.service, PostgresPoolConfiguration.projectors.unhurried, logger: quiet)
        try await whileRunning([pool.run, models.run]) { [logger, session] in
            try await ModelInstaller(models).install(ReadModel.all)
            let cases = try UseCases(
                session, share: share, pool: pool, origin: try await LogStart.read(pool),
                limits: limits, photos: try photos ?? TestPhotos.settings(), exports: exports ?? TestExports.settings(),
                passwords: PasswordHasher(cost: .least),
                quotas: quotas, unverifiedSightings: unverifiedSightings,
                now: { now ?? .now }, logger: logger)
            try await cases.run { cases in
                try await cases.loadTaxa(logger)
                try await cases.accounts.sessionUpkeep.perform()
                try await whileRunning([{ await cases.follow(over: models, logger) }]) {
                    let (api, groups) = (api(cases, settings), groups(cases))
                    try await Application(responder: api.responder(groups), logger: logger).test(.router) {
                        try await body(
                            ServedRoutes(
                                cases: cases, database: database, routes: api.routes(groups), client: $0,
                                logger: logger))
                    }
                }
            }
        }
        log.expectListedProblems()
    }

    private static func whileRunning(
        _ services: [@Sendable () async -> Void], _ body: @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services { group.addTask { await service() } }
            defer { group.cancelAll() }
            try await body()
        }
    }
}

extension UseCases {
    fileprivate func follow(over pool: PostgresPool, _ logger: Logger) async {
        await withTaskGroup(of: Void.self) { group in
            for follower in followers(over: pool, logger: logger) { group.addTask { await follower.run() } }
            group.addTask { await ground.directory.run() }
        }
    }

    /// A wren, and an owl that is sensitive; none where the database has taxa, which may be called otherwise by now.
    fileprivate func loadTaxa(_ logger: Logger) async throws {
        if try await LoggedTaxa(ground.pool).entries().isEmpty { try await importTaxa() }
        try await follower(of: .taxa, logger: logger).catchUp()
        try await ground.catalogue.refresh()
    }

    private func importTaxa() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "taxa-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, _ rows: [[String]]) throws -> String {
            let url = folder.appending(path: name)
            try Data(rows.map { $0.joined(separator: "\t") + "\n" }.joined().utf8).write(to: url)
            return url.path(percentEncoded: false)
        }
        let taxa = try file(
            "taxa.tsv",
            [
                ["scientificName", "rank", "parent", "kind", "names"], ["Aves", "class", "", "bird", "en:Birds"],
                ["Troglodytes pacificus", "species", "Aves", "bird", "en:Pacific Wren"],
                ["Melospiza melodia", "species", "Aves", "bird", "en:Song Sparrow"],
                ["Strix occidentalis", "species", "Aves", "bird", "en:Spotted Owl"],
                ["Parus major", "species", "Aves", "bird", "en:Great Tit"],
            ])
        let sensitive = try file(
            "sensitivity.tsv",
            [["scientificName", "category", "reason", "source"], ["Strix occidentalis", "2", "nests", "a list"]])
        try #require(try await TaxaImport(log: imports).run(taxa).added == 5)
        _ = try await SensitivityImport(log: imports).run(sensitive)
    }
}

/// Serves the routes for a whole suite, in the task of its tests.
struct ServingRoutes: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await ServedRoutes.run { served in
            try await ServedRoutes.$current.withValue(served) { try await function() }
        }
    }
}

extension Trait where Self == ServingRoutes {
    /// The suite's tests share the routes and a database.
    static var routes: ServingRoutes { ServingRoutes() }
}
