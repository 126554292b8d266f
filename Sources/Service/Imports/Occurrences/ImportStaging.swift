import Domain
import EventLog
import Exchange
import FoundationEssentials
import Postgres

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
    private let dataset: DatasetID
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
                // The lock ends with the connection, whatever state it is in; the next import drops the table.
                await connection.close()
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
                   (row bigint not null, stream uuid not null, content uuid not null) with (autovacuum_enabled = false)
            """)
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
            "copy \(identifier: Self.schema).\(identifier: table) (row, stream, content) from stdin"
        ) { copy in
            try await copy.write(rows)
        }
    }

    /// A chunk's rows in the text format of COPY.
    struct Rows {
        private(set) var bytes: [UInt8] = []
        /// Rows of the file, including those that cannot be read.
        let count: Int
        /// Rows that have no `occurrenceID`.
        private(set) var withoutID = 0

        init(
            _ chunk: ImportChunk, _ contents: OccurrenceContentReader, _ dataset: DatasetID, _ signer: CommandSigner
        ) throws {
            count = chunk.records.count
            for row in chunk.rows {
                let content = try contents.content(of: row)
                if content.occurrenceID == nil { withoutID += 1 }
                append(row.number, content.stream(in: dataset, ordinal: 1, by: signer), UUID(bytes: content.digest))
            }
        }

        private mutating func append(_ row: Int, _ stream: UUID, _ content: UUID) {
            bytes += String(row).utf8
            bytes.append(UInt8(ascii: "\t"))
            bytes += SightingID(stream).description.utf8
            bytes.append(UInt8(ascii: "\t"))
            bytes += SightingID(content).description.utf8
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    /// Rows with the id or the whole content of an earlier row, in the file's order; found once all rows are added.
    func repetitions() async throws -> RowRepetitions {
        let table: SQL = "\(identifier: Self.schema).\(identifier: repetitionsTable)"
        try await connection.query(
            """
            create unlogged table \(fragment: table) with (autovacuum_enabled = false) as
            select row, ordinal, same
              from (select row, row_number() over w as ordinal, content = first_value(content) over w as same
                      from \(identifier: Self.schema).\(identifier: self.table)
                    window w as (partition by stream order by row)) numbered
             where ordinal > 1 order by row
            """)
        try await connection.query("alter table \(fragment: table) add primary key (row)")
        try await connection.query("analyze \(fragment: table)")
        return RowRepetitions { [connection] row, limit in
            let page = try await connection.query(
                """
                select row, ordinal, same from \(fragment: table)
                 where row >= \(Int64(row)) order by row limit \(Int64(limit))
                """)
            return try page.rows.map { try RowRepetition($0) }
        }
    }

    /// Adds further streams of rows, and prepares the table for ``vanished(after:upTo:)``.
    func add(_ streams: [UUID], through database: any PostgresQuerying) async throws {
        guard !streams.isEmpty else { return }
        try await database.query(
            """
            insert into \(identifier: Self.schema).\(identifier: table) (row, stream, content)
            select 0, s.id, s.id from unnest(\(streams)) as s (id)
            """)
    }

    /// Indexes the table by stream.
    func index() async throws {
        try await connection.query("create index on \(identifier: Self.schema).\(identifier: table) (stream)")
        try await connection.query("analyze \(identifier: Self.schema).\(identifier: table)")
    }

    /// The dataset's streams within a range of positions that have no row in the file.
    func vanished(after position: Int64, upTo last: Int64) async throws -> [UUID] {
        let result = try await connection.query(
            """
            select distinct e.stream from log.events e
             where e.position > \(position) and e.position <= \(last)
               and e.type = 'SightingImported' and e.payload ->> 'dataset' = \(dataset.description)
               and not exists (select from \(identifier: Self.schema).\(identifier: table) t where t.stream = e.stream)
            """)
        return try result.rows.map { try $0.decode("stream") }
    }
}
