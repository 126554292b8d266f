import Bytes
import Crypto
import FoundationEssentials
package import Postgres

/// Creates a read model's schema, tables and fold if they do not exist. Any number of processes may do so at once.
package struct ModelInstaller: Sendable {
    private let pool: PostgresPool

    /// Installs into a pool's database.
    package init(_ pool: PostgresPool) {
        self.pool = pool
    }

    /// Creates the missing models; existing ones are checked against their definitions.
    /// - Throws: ``ModelDrift`` when a model was changed without a new version; `PostgresError`.
    package func install(_ models: [ReadModel]) async throws {
        for model in models { try await install(model) }
    }

    private func install(_ model: ReadModel) async throws {
        do {
            // Other processes that start may be installing it.
            try await pool.transaction(within: .seconds(300)) { try await Self.install(model, $0) }
        } catch {
            throw error.underlying
        }
    }

    private static func install(_ model: ReadModel, _ connection: PostgresConnection) async throws {
        // Two processes starting at once: the second waits here and then finds it done.
        try await lock(connection)
        let known = try await connection.query(
            """
            select definition, build from model.checkpoints
             where \(fragment: model.isItsCheckpoint)
            """)
        if let row = known.first {
            let definition: String = try row.decode("definition")
            guard definition == model.definition else { throw ModelDrift(name: model.name, version: model.version) }
            if try await has(model, build: try row.decode("build"), connection) {
                return try await keep(model, connection)
            }
            try await discard(model.schema, connection)
        }
        try await build(model, in: model.schema, connection)
        _ = try await connection.query(
            """
            insert into model.checkpoints (name, version, epoch, events, definition, build)
            select \(model.name), \(Int32(clamping: model.version)), h.epoch, \(model.types), \(model.definition), b.id
              from log.head h, \(identifier: model.schema).build b
            """)
    }

    /// Whether the model's rows are of the build that its checkpoint counts.
    private static func has(_ model: ReadModel, build: UUID, _ connection: PostgresConnection) async throws -> Bool {
        let table = try await connection.query("select to_regclass(\(model.schema + ".build")) is not null as is_there")
        guard try table.onlyRow().decode("is_there") else { return false }
        return try await connection.query("select from \(identifier: model.schema).build where id = \(build)").count > 0
    }

    /// Keeps a model that no process has followed for a while from being pruned now. A locked one is being followed.
    private static func keep(_ model: ReadModel, _ connection: PostgresConnection) async throws {
        _ = try await connection.query(
            """
            update model.checkpoints set updated_at = log.clock()
             where (name, version) in (
                   select name, version from model.checkpoints
                    where \(fragment: model.isItsCheckpoint) for update skip locked)
            """)
    }

    /// Keeps others from installing and discarding models until the transaction ends.
    static func lock(_ connection: PostgresConnection) async throws(PostgresError) {
        _ = try await connection.query("select pg_advisory_xact_lock(hashtext('model.install'))")
    }

    /// Drops a model's schema and its checkpoint.
    static func discard(_ schema: String, _ connection: PostgresConnection) async throws(PostgresError) {
        _ = try await connection.query("drop schema if exists \(identifier: schema) cascade")
        _ = try await connection.query("delete from model.checkpoints where name || '_v' || version = \(schema)")
    }

    /// Makes the model's tables and fold in a new schema of this name.
    /// - Throws: `PostgresError`.
    package static func build(_ model: ReadModel, in schema: String, _ connection: PostgresConnection) async throws {
        _ = try await connection.query("create schema \(identifier: schema)")
        let path: SQL = "set local search_path = \(identifier: schema), pg_catalog, public"
        _ = try await connection.query(path)
        try await connection.executeScript(model.table)
        try await connection.executeScript(model.fold)
        _ = try await connection.query("create table build as select gen_random_uuid() as id")
        _ = try await connection.query("set local search_path = default")
    }
}

/// A read model's SQL differs from what its version was built with: it needs a new version.
package struct ModelDrift: Error, Hashable, CustomStringConvertible {
    package let name: String
    /// The version that its SQL no longer matches.
    package let version: Int

    package var description: String {
        "the read model \(name) version \(version) was built from other SQL; a changed model needs a new version"
    }
}

extension ReadModel {
    /// SHA-256 of the model's SQL, in hexadecimal.
    var definition: String {
        Hexadecimal.digits(of: SHA256.hash(data: Array((table + "\u{0}" + fold).utf8)))
    }

    /// The types of the events that it folds, in alphabetical order; nil where they are not known: all.
    package var types: [String]? {
        events.isEmpty ? nil : events.values.reduce(into: otherEvents) { $0.formUnion($1) }.sorted()
    }
}

/// A read model: tables made from the log and nothing else, and the statement that makes them.
///
/// Its tables and its `fold` live in a schema of their own, `<name>_v<version>`; the SQL names them unqualified, so the
/// same text serves following, rebuilding aside, and as-of checks in a throw-away schema. A changed model gets a new
/// version and is built beside the old one; read models have no migrations.
package struct ReadModel: Sendable, Hashable {
    /// The model's name, a lower-case SQL identifier.
    package let name: String
    /// Raised with every change of its tables or fold.
    package let version: Int
    /// Makes the tables, run once in the model's empty schema.
    package let table: String
    /// Makes or replaces `fold(after bigint, upto bigint)`, which turns the events with `after < position <= upto` into
    /// rows. It reads only the log and the model's own tables.
    package let fold: String
    /// The types of the events that change its rows, by the kind of stream; empty: all.
    package let events: [String: Set<String>]
    /// The types of further events that its fold reads.
    package let otherEvents: Set<String>
    /// The columns by which two builds are compared: table → columns in a fixed order, the key first.
    package let digest: [String: [String]]

    package init(
        name: String, version: Int, table: String, fold: String, events: [String: Set<String>] = [:],
        otherEvents: Set<String> = [], digest: [String: [String]]
    ) {
        self.name = name
        self.version = version
        self.table = table
        self.fold = fold
        self.events = events
        self.otherEvents = otherEvents
        self.digest = digest
    }

    package var schema: String { "\(name)_v\(version)" }

    /// Further behind the head than this many positions, twice what is folded at once, a model is not read.
    package static let toleratedLag: Int64 = 100_000
}
