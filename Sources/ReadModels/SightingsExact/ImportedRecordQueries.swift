package import Domain
internal import EventLog
internal import FoundationEssentials
package import Postgres

/// Reads what a dataset holds, as an import needs it: to compare a row with its record, to find records whose rows have
/// vanished, and to undo a batch.
package struct ImportedRecordQueries: Sendable {
    /// A record of a dataset as it is now.
    package struct Record: Hashable, Sendable {
        package let id: SightingID
        /// The version that an append must expect.
        package let version: Int
        /// Nil when a payload it needs was redacted.
        package let status: SightingStatus?
        /// The fingerprint of the row's content.
        package let occurrence: Fingerprint?
        /// The import that touched it last.
        package let batch: BatchID?

        init(_ row: PostgresRow) throws(PostgresError) {
            let status: String = try row.decode("status")
            id = try row.id("id")
            version = try row.decode("version")
            self.status = status == "redacted" ? nil : try row.word("status")
            occurrence = try row.code("occurrence")
            batch = try row.id(optional: "batch")
        }
    }

    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// Those of the sightings that are there, by id.
    /// - Throws: `PostgresError`.
    package func records(_ ids: [SightingID]) async throws(PostgresError) -> [SightingID: Record] {
        guard !ids.isEmpty else { return [:] }
        let found = try await records("id = any(\(ids.map(\.uuid)))", limit: ids.count)
        return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The live records of a dataset by id, in pages; only those that a batch touched last, if one is given.
    /// - Throws: `PostgresError`.
    package func liveRecords(
        of dataset: DatasetID, batch: BatchID? = nil, after id: SightingID? = nil, limit: Int
    ) async throws(PostgresError) -> [Record] {
        var condition: SQL = "dataset = \(dataset.uuid) and dataset is not null and status = 'accepted-by-source'"
        if let batch { condition = "\(fragment: condition) and batch = \(batch.uuid)" }
        if let id { condition = "\(fragment: condition) and id > \(id.uuid)" }
        return try await records(condition, limit: limit)
    }

    private func records(_ condition: SQL, limit: Int) async throws(PostgresError) -> [Record] {
        let result = try await database.query(
            """
            select id, version, status, occurrence, batch
              from \(identifier: ReadModel.sightingsExact.schema).sightings
             where upper_inf(valid) and \(fragment: condition)
             order by id limit \(limit)
            """)
        var records: [Record] = []
        records.reserveCapacity(result.count)
        for row in result.rows { records.append(try Record(row)) }
        return records
    }
}
