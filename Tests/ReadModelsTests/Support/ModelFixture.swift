import EventLog
import FoundationEssentials
import Logging
import Postgres
import TestRandom
import TestSupport
import Testing

extension ReadModel: CustomTestStringConvertible {
    /// Without the model's SQL.
    public var testDescription: String { name }
}

/// A database with a log, its owner's connection to write to it, and the service's pool to fold and query.
struct ModelFixture: Sendable {
    let owner: PostgresConnection
    let pool: PostgresPool

    /// Runs a test, with time limits that only a hang reaches.
    static func run<Value: Sendable>(_ body: @Sendable (ModelFixture) async throws -> Value) async throws -> Value {
        try await withTestDatabase { database in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            var pools = PostgresPoolConfiguration().unhurried
            (pools.sharedConnections, pools.exclusiveConnections) = (1, 2)
            return try await PostgresPool.withPool(database.service, pools, logger: logger) { pool in
                try await database.withConnection(database.owner) { owner in
                    try await body(ModelFixture(owner: owner, pool: pool))
                }
            }
        }
    }

    /// Makes a model in a schema of its own.
    func build(_ model: ReadModel, in schema: String) async throws {
        try await pool.transaction { try await ModelInstaller.build(model, in: schema, $0) }
    }

    /// Makes a model where the queries look for it, with its checkpoint.
    func install(_ models: [ReadModel]) async throws {
        try await ModelInstaller(pool).install(models)
    }

    func fold(_ schema: String, after: Int64, upTo: Int64) async throws {
        try await pool.transaction {
            _ = try await $0.query("select \(identifier: schema).fold(\(after), \(upTo))")
        }
    }

    /// Folds everything into installed models.
    func follow(_ models: [ReadModel]) async throws {
        for model in models {
            let version = Int32(model.version)
            _ = try await pool.transaction {
                try await $0.query("select * from model.advance(\(model.name), \(version), 1000000000)")
            }
        }
    }

    /// Appends a random history, redacting a payload now and then. `step` is called after each command with the head.
    func write(
        seed: UInt64, steps: Int, redacting: Bool = true, reviewing: Bool = false,
        _ step: (Int64) async throws -> Void = { _ in }
    ) async throws {
        var history = RandomHistory(seed: seed, hasReviews: reviewing)
        var writer = LogWriter(owner)
        var random = RandomSource(seed: seed &+ 1)
        for _ in 0..<steps {
            try await writer.append(history.next())
            if redacting, writer.head > 20, random.isTrue(oneIn: 20) {
                let target = Int64(random.int(in: 1...Int(writer.head)))
                if let stream = try await redact(target) { writer.redacted(stream) }
            }
            try await step(writer.head)
        }
    }

    /// The stream of the event redacted; nil where there was nothing to redact.
    func redact(_ position: Int64) async throws -> UUID? {
        let before = try await LogOrigin.read(owner).position
        let found = try await owner.query("select stream, type from log.events where position = \(position)").onlyRow()
        guard try found.decode("type", as: String.self) != "PayloadRedacted" else { return nil }
        let at = try await Redaction.redact(position: position, reason: "legal", owner)
        return at > before ? try found.decode("stream") : nil
    }

    /// The whole log.
    func events() async throws -> [RecordedEvent] {
        try await LogReader(pool).page(after: 0, limit: 1_000_000)
    }
}
