import Domain
import EventLog
import Exchange
import FoundationEssentials
import Postgres
import Service

/// The rows of a file by their streams, in unlogged tables, so that identical rows of a file of any size are counted
/// without holding them in memory.
///
/// Every statement ends before the next row is decided: an import that waits for the log holds no snapshot, which would
/// keep the server from vacuuming. The connection's advisory lock allows one import at a time for each dataset, and
/// distinguishes the tables of imports in progress from those left by a crash.
struct ImportStaging {
    private static let schema = "import_staging"
    /// Bytes of rows that are added at once.
    static let copySize = 1 << 20

    let connection: PostgresConnection
    let dataset: DatasetID
    private var table: String { "rows_\(dataset)" }
    /// The rows that repeat an earlier one's stream.
    private var repetitionsTable: String { "repetitions_\(dataset)" }

    /// Runs an import with a table of its own.
    /// - Throws: ``ImportError/alreadyRunning(_:)``; what `body` throws; `PostgresError`.
    static func with<Value>(
        _ pool: PostgresPool, dataset: DatasetID, _ body: (ImportStaging) async throws -> Value
    ) async throws -> Value {
        try await pool.withExclusive(within: .seconds(3_600)) { connection in
            let staging = ImportStaging(connection: connection, dataset: dataset)
            do {
                try await staging.prepare()
                let value = try await body(staging)
                for table in [staging.table, staging.repetitionsTable] { try await staging.drop(table) }
                _ = try await staging.unlock("\(dataset)")
                return value
            } catch {
                await staging.giveUp(after: error)
                throw error
            }
        }
    }

    private func prepare() async throws {
        guard try await lock("\(dataset)") else { throw ImportError.alreadyRunning(dataset) }
        try await makeSchema()
        let left = try await connection.query(
            "select tablename::text as name from pg_catalog.pg_tables where schemaname = \(Self.schema)")
        for row in left.rows {
            let name: String = try row.decode("name")
            let owner = name.drop { $0 != "_" }.dropFirst()
            guard try await lock(owner) else { continue }
            try await drop(name)
            _ = try await unlock(owner)
        }
        try await connection.query(
            """
            create unlogged table \(identifier: Self.schema).\(identifier: table)
                   (row bigint not null, stream uuid not null, content uuid not null, fingerprint text)
                   with (autovacuum_enabled = false)
            """)
    }

    /// Drops the tables. If the task is cancelled or the connection has failed, the next import drops them. The lock
    /// ends with the connection.
    private func giveUp(after error: any Error) async {
        if error as? ImportError != .alreadyRunning(dataset), !Task.isCancelled {
            for table in [table, repetitionsTable] { try? await drop(table) }
            _ = try? await unlock("\(dataset)")
        }
        await connection.close()
    }

    private func makeSchema() async throws {
        let sql: SQL = "create schema if not exists \(identifier: Self.schema)"
        do {
            try await connection.query(sql)
        } catch {
            // If two imports create it at the same moment, one of them fails because it exists.
            guard error.sqlState != nil else { throw error }
            try await connection.query(sql)
        }
    }

    /// - Parameter dataset: its id, which the names of its tables end with.
    private func lock(_ dataset: some StringProtocol) async throws -> Bool {
        let result = try await connection.query(
            "select pg_try_advisory_lock(hashtextextended(\("import rows_" + dataset), 0)) as taken")
        return try result.onlyRow().decode("taken")
    }

    private func unlock(_ dataset: some StringProtocol) async throws -> Bool {
        let result = try await connection.query(
            "select pg_advisory_unlock(hashtextextended(\("import rows_" + dataset), 0)) as freed")
        return try result.onlyRow().decode("freed")
    }

    private func drop(_ name: String) async throws {
        try await connection.query("drop table if exists \(identifier: Self.schema).\(identifier: name)")
    }
}

// MARK: - Rows

extension ImportStaging {
    /// Adds rows, given in the text format of COPY.
    func add(_ rows: [UInt8]) async throws {
        guard !rows.isEmpty else { return }
        _ = try await connection.copyIn(
            "copy \(identifier: Self.schema).\(identifier: table) (row, stream, content, fingerprint) from stdin"
        ) { copy in
            try await copy.write(rows)
        }
    }

    /// A chunk's rows in the text format of COPY.
    struct Rows {
        private(set) var bytes: [UInt8] = []
        /// Rows of the file, including those that cannot be read.
        let count: Int
        /// Rows that cannot be read.
        let unreadable: Int
        /// The digest of everything that was read.
        let digest: [UInt8]
        /// Rows that have no `occurrenceID`.
        private(set) var withoutID = 0

        /// - Parameter keepsFingerprints: whether ``ImportStaging/addFurtherStreams(by:)`` will be called.
        init(
            _ chunk: ImportChunk, _ contents: OccurrenceContentReader, _ dataset: DatasetID, _ signer: CommandSigner,
            keepsFingerprints: Bool
        ) throws {
            (count, unreadable) = (chunk.records.count, chunk.unreadable)
            let contents = try contents.contents(of: chunk)
            digest = chunk.digest(contents)
            for case (.occurrence(let row), let content?) in zip(chunk.records, contents) {
                if content.occurrenceID == nil { withoutID += 1 }
                let fingerprint = content.occurrenceID == nil && keepsFingerprints ? content.fingerprint : nil
                append(
                    row.number, content.stream(in: dataset, ordinal: 1, by: signer), UUID(bytes: content.digest),
                    fingerprint)
            }
        }

        private mutating func append(_ row: Int, _ stream: UUID, _ content: UUID, _ fingerprint: Fingerprint?) {
            bytes += String(row).utf8
            bytes.append(UInt8(ascii: "\t"))
            bytes += SightingID(stream).description.utf8
            bytes.append(UInt8(ascii: "\t"))
            bytes += SightingID(content).description.utf8
            bytes.append(UInt8(ascii: "\t"))
            bytes += (fingerprint?.text ?? "\\N").utf8
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    /// Finds the rows with the id or the whole content of an earlier row, once all rows are added.
    func findRepetitions() async throws {
        try await connection.query(
            """
            create unlogged table \(fragment: repetitionsName) with (autovacuum_enabled = false) as
            select row, ordinal, same, fingerprint
              from (select row, row_number() over w as ordinal, content = first_value(content) over w as same,
                           fingerprint
                      from \(fragment: tableName) window w as (partition by stream order by row)) numbered
             where ordinal > 1 order by row
            """)
        try await connection.query("alter table \(fragment: repetitionsName) add primary key (row)")
        try await connection.query("analyze \(fragment: repetitionsName)")
    }

    /// The repetitions that were found, in the file's order.
    func repetitions() -> RowRepetitions {
        RowRepetitions { [connection, repetitionsName] row, limit in
            let page = try await connection.query(
                """
                select row, ordinal, same from \(fragment: repetitionsName)
                 where row >= \(Int64(row)) order by row limit \(Int64(limit))
                """)
            return try page.rows.map { try RowRepetition($0) }
        }
    }

    /// Adds the streams of the second and further identical rows, and prepares the table for ``loss(of:)`` and
    /// ``vanished(after:upTo:)``.
    func addFurtherStreams(by signer: CommandSigner) async throws {
        var row: Int64 = 0
        while true {
            let page = try await connection.query(
                """
                select row, ordinal, fingerprint from \(fragment: repetitionsName)
                 where row > \(row) and fingerprint is not null order by row limit 5000
                """)
            guard let last = page.rows.last else { break }
            row = try last.decode("row")
            let streams = try page.rows.map { row in
                OccurrenceContent.stream(
                    of: Fingerprint(unchecked: try row.decode("fingerprint")), in: dataset,
                    ordinal: Int(try row.decode("ordinal", as: Int64.self)), by: signer)
            }
            try await connection.query(
                """
                insert into \(fragment: tableName) (row, stream, content)
                select 0, s.id, s.id from unnest(\(streams)) as s (id)
                """)
        }
        try await connection.query("create index on \(fragment: tableName) (stream)")
        try await connection.query("analyze \(fragment: tableName)")
    }

    var tableName: SQL { "\(identifier: Self.schema).\(identifier: table)" }

    private var repetitionsName: SQL { "\(identifier: Self.schema).\(identifier: repetitionsTable)" }
}
