package import Domain
import EventLog
import FoundationEssentials
package import Postgres
package import ReadModels
import Vault

/// Reads the records of bulk answers: streams and exports. At a fixed moment the records, their order and their values
/// are always the same, on this or any standby, whatever the sizes of the batches are.
package struct BulkReader: Sendable {
    /// The models that the moment must come from, and that a server must have.
    package static let plan = ReadPlan(.sightingsPublic, .accounts, .taxa, .datasets)

    /// How much a statement reads.
    package struct Sizes: Hashable, Sendable {
        /// Records that are read together with all their values.
        package var batch = 500
        /// Rows among which a statement looks for the records of the answer.
        package var window = 200_000
        /// How old a batch may be when it is sent. An older one is read again where restrictions apply meanwhile: a
        /// client that reads slowly would get it long after a record of it was restricted.
        package var age: Duration = .seconds(30)

        package init() {}
    }

    private let pool: PostgresPool
    let signer: CommandSigner
    let sizes: Sizes
    private let restrictions: (@Sendable () -> Int64)?

    /// Every statement takes an exclusive connection of the pool, for as long as it runs.
    /// - Parameters:
    ///   - signer: that of the log, by which records with the same original id are found.
    ///   - restrictions: the position up to which restrictions apply to the next batch, for an answer that is sent
    ///     while it is read: what is restricted meanwhile is not sent. nil: up to that of the moment, as exports need.
    package init(
        _ pool: PostgresPool, signer: CommandSigner, sizes: Sizes = Sizes(),
        restrictions: (@Sendable () -> Int64)? = nil
    ) {
        (self.pool, self.signer, self.sizes, self.restrictions) = (pool, signer, sizes, restrictions)
    }

    /// The moment of the next batch.
    func underRestrictions(_ moment: PublicMoment) -> PublicMoment {
        restrictions.map { moment.underRestrictions(upTo: $0()) } ?? moment
    }

    /// Reads all records, sorted by public id, in statements of their own.
    ///
    /// While `body` works on a batch, the next one is made of its rows, and the rows of the one after that are read.
    /// - Parameter format: an archive needs the identifications, too. It leaves records out that are read here.
    /// - Throws: what the database or `body` throws.
    package func eachBatch(
        _ query: BulkQuery, asOf moment: PublicMoment, as format: ExportFormat = .csv,
        _ body: ([BulkRecord]) async throws -> Void
    ) async throws {
        var reading = BulkReading(query, moment, format, signer: signer)
        try await reading.prepare(self)
        var window = try await window(of: query, after: nil, asOf: moment)
        while let current = window {
            async let following = self.window(of: query, after: current.end, asOf: moment)
            try await eachBatch(current.ids, &reading, body)
            window = try await following
        }
    }

    /// The ids of the answer in the window after an id, and the end of that window; nil after the last one.
    private func window(
        of query: BulkQuery, after start: SightingID?, asOf moment: PublicMoment
    ) async throws -> (ids: [SightingID], end: SightingID)? {
        let end = try await queries { try await $0.end(of: query, ofWindowAfter: start, rows: sizes.window) }
        guard let end else { return nil }
        return (try await queries { try await $0.ids(of: query, after: start, upTo: end, asOf: moment) }, end)
    }

    /// Those of some records that are in the answer, sorted by public id.
    /// - Throws: what the database throws.
    func records(
        _ ids: some Collection<SightingID> & Sendable, of query: BulkQuery, as format: ExportFormat,
        asOf moment: PublicMoment
    ) async throws -> [BulkRecord] {
        let contained = try await queries { try await $0.contained(ids, in: query, as: format, asOf: moment) }
        guard !contained.isEmpty else { return [] }
        var reading = BulkReading(query, moment, format, signer: signer)
        try await reading.prepare(self)
        return try await reading.records(try await reading.rows(Array(contained)[...], self), self)
    }

    /// The records that may have the same original ids in an answer.
    /// - Throws: what the database throws.
    func namesakes(in query: BulkQuery) async throws -> Namesakes {
        let datasets: [DatasetID] =
            if let only = query.filter.dataset {
                only.id.map { [$0] } ?? []
            } else {
                try await queries { try await $0.republishedDatasets(of: query) }
            }
        return Namesakes(signer: signer, datasets: datasets)
    }

    /// How many records are not passed on.
    /// - Throws: what the database throws.
    package func leftOut(_ query: BulkQuery, asOf moment: PublicMoment) async throws -> LeftOut {
        try await count(query, asOf: moment).leftOut
    }

    /// How many records the answer has, and how many it leaves out.
    /// - Throws: what the database throws.
    package func count(_ query: BulkQuery, asOf moment: PublicMoment) async throws -> BulkCount {
        try await queries { try await $0.count(of: query, asOf: moment) }
    }

    /// How many records are removed, added or replaced between two moments that differ in their restrictions.
    /// - Throws: what the database throws.
    func restricted(
        in selection: RecordSelection, from earlier: PublicMoment, to later: PublicMoment
    ) async throws -> Int {
        try await queries { try await $0.restricted(in: selection, from: earlier, to: later) }
    }

    /// Reads the records with some ids, in batches in the order of the ids; each batch is sorted by public id.
    func eachBatch(
        _ ids: [SightingID], _ reading: inout BulkReading, _ body: ([BulkRecord]) async throws -> Void
    ) async throws {
        var starts = stride(from: 0, to: ids.count, by: sizes.batch).makeIterator()
        // Three stages work at a time, each on a batch of its own: `body`, making records of rows, and reading rows.
        var records: [BulkRecord] = []
        var rows: BulkRows = []
        var isReading = true
        // When the rows of `records` and `rows` began to be read.
        var (recordsRead, rowsRead) = (ContinuousClock.now, ContinuousClock.now)
        while isReading || !rows.isEmpty || !records.isEmpty {
            let (read, known, start) = (rows, reading, ContinuousClock.now)
            let next = starts.next().map { ids[$0..<min($0 + sizes.batch, ids.count)] } ?? []
            isReading = !next.isEmpty
            async let later = next.isEmpty ? [] : known.rows(next, self)
            async let following = known.following(read, self)
            if restrictions != nil, !records.isEmpty, start - recordsRead >= sizes.age {
                let old = records.map(\.record.row.id)
                records = try await known.following(try await known.rows(old[...], self), self).records
            }
            if !records.isEmpty { try await body(records) }
            (records, reading) = try await following
            rows = try await later
            (recordsRead, rowsRead) = (rowsRead, start)
        }
    }

    /// Runs a statement on a connection of its own: it may take longer than others should wait.
    func queries<Value: Sendable>(_ body: (PublicSightingQueries) async throws -> Value) async throws -> Value {
        try await pool.withExclusive { try await body(PublicSightingQueries($0)) }
    }

    /// Runs a statement on such a connection.
    func query<Value: Sendable>(_ body: (PostgresConnection) async throws -> Value) async throws -> Value {
        try await pool.withExclusive(body)
    }
}
