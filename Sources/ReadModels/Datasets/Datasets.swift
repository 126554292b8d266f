package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// A dataset as it is now. Its title and credits are content beside the log.
package struct DatasetRow: Hashable, Sendable {
    package let id: DatasetID
    /// The licence of records that name none.
    package let licence: Licence?
    /// Whether its records may be passed on to others; nil where the registration was redacted.
    package let republish: Republishing?
    /// When it was registered.
    package let createdAt: Instant
    /// Version of its newest event.
    package let version: Int
    /// Position of its newest event.
    package let position: Int64

    static let columns: SQL = "id, licence, republish, created_at, version, position"

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.id("id")
        licence = try row.word("licence")
        republish = try row.word("republish")
        createdAt = try row.required(row.instant("created_at"), "created_at")
        version = try row.decode("version")
        position = try row.decode("position")
    }
}

/// One import of one file into a dataset.
package struct BatchRow: Hashable, Sendable {
    /// The counts of a file's rows by outcome.
    package struct Outcome: Hashable, Sendable {
        /// Rows that became records.
        package let accepted: Int
        /// Rows that were present before, unchanged.
        package let known: Int
        /// Rows that changed a record.
        package let corrected: Int
        /// Records withdrawn because their rows had vanished.
        package let withdrawn: Int
        /// Rows that were rejected.
        package let rejected: Int
    }

    package let id: BatchID
    /// The dataset it went into.
    package let dataset: DatasetID
    /// The SHA-256 of the file; nil where it was redacted.
    package let file: Fingerprint?
    package let startedAt: Instant?
    /// When it finished; nil while it runs, and if it was interrupted.
    package let finishedAt: Instant?
    /// Counts of the rows; nil until it has finished.
    package let outcome: Outcome?
    /// When it was undone.
    package let undoneAt: Instant?
    /// The effect of undoing it; nil unless it was undone.
    package let undoing: Undoing?

    /// The counts of an import's records by what undoing it did.
    package struct Undoing: Hashable, Sendable {
        /// Records withdrawn.
        package let withdrawn: Int
        /// Records with their former values again; nil where it was not counted, as are the next two.
        package let setBack: Int?
        /// Records brought back.
        package let broughtBack: Int?
        /// Records that had changed since.
        package let left: Int?
    }

    static let columns: SQL = """
        batch, dataset, file, started_at, finished_at, accepted, known, corrected, withdrawn, refused, undone_at,
        undone_records, undone_set_back, undone_brought_back, undone_left
        """

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.id("batch")
        dataset = try row.id("dataset")
        file = try row.code("file")
        startedAt = try row.instant("started_at")
        finishedAt = try row.instant("finished_at")
        let accepted: Int? = try row.decode("accepted")
        outcome = try accepted.map { (accepted) throws(PostgresError) in
            Outcome(
                accepted: accepted, known: try row.decode("known"), corrected: try row.decode("corrected"),
                withdrawn: try row.decode("withdrawn"), rejected: try row.decode("refused"))
        }
        undoneAt = try row.instant("undone_at")
        let undone: Int? = try row.decode("undone_records")
        undoing = try undone.map { (withdrawn) throws(PostgresError) in
            Undoing(
                withdrawn: withdrawn, setBack: try row.decode("undone_set_back"),
                broughtBack: try row.decode("undone_brought_back"), left: try row.decode("undone_left"))
        }
    }
}

/// Reads datasets and imports.
package struct DatasetQueries: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// All datasets, in the order of their registration.
    /// - Throws: `PostgresError`.
    package func datasets() async throws(PostgresError) -> [DatasetRow] {
        let schema = ReadModel.datasets.schema
        let result = try await database.query(
            "select \(fragment: DatasetRow.columns) from \(identifier: schema).datasets order by created_at, id")
        var datasets: [DatasetRow] = []
        for row in result.rows { datasets.append(try DatasetRow(row)) }
        return datasets
    }

    /// Whether a dataset is registered.
    /// - Throws: `PostgresError`.
    package func contains(_ dataset: DatasetID) async throws(PostgresError) -> Bool {
        let schema = ReadModel.datasets.schema
        let result = try await database.query(
            """
            select exists (select from \(identifier: schema).datasets where id = \(dataset.uuid)) as found
            """)
        return try result.onlyRow().decode("found")
    }

    /// The imports into a dataset, in the order in which they began.
    /// - Throws: `PostgresError`.
    package func batches(of dataset: DatasetID) async throws(PostgresError) -> [BatchRow] {
        let schema = ReadModel.datasets.schema
        let result = try await database.query(
            """
            select \(fragment: BatchRow.columns)
              from \(identifier: schema).batches where dataset = \(dataset.uuid)
             order by started nulls last, batch
            """)
        var batches: [BatchRow] = []
        for row in result.rows { batches.append(try BatchRow(row)) }
        return batches
    }
}
