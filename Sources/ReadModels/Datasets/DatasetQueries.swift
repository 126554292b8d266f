package import Domain
internal import EventLog
internal import FoundationEssentials
package import Postgres

/// Reads datasets and imports.
package struct DatasetQueries: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// A dataset; nil when there is none.
    /// - Throws: `PostgresError`.
    package func dataset(_ id: DatasetID) async throws(PostgresError) -> DatasetRow? {
        let schema = ReadModel.datasets.schema
        let result = try await database.query(
            "select \(fragment: DatasetRow.columns) from \(identifier: schema).datasets where id = \(id.uuid)")
        guard let row = result.first else { return nil }
        return try DatasetRow(row)
    }

    /// All datasets, in the order in which they became known.
    /// - Throws: `PostgresError`.
    package func datasets() async throws(PostgresError) -> [DatasetRow] {
        let schema = ReadModel.datasets.schema
        let result = try await database.query(
            "select \(fragment: DatasetRow.columns) from \(identifier: schema).datasets order by created_at, id")
        var datasets: [DatasetRow] = []
        for row in result.rows { datasets.append(try DatasetRow(row)) }
        return datasets
    }

    /// An import; nil when there is none.
    /// - Throws: `PostgresError`.
    package func batch(_ id: BatchID) async throws(PostgresError) -> BatchRow? {
        try await batches("batch = \(id.uuid)").first
    }

    /// The imports into a dataset, in the order in which they began.
    /// - Throws: `PostgresError`.
    package func batches(of dataset: DatasetID) async throws(PostgresError) -> [BatchRow] {
        try await batches("dataset = \(dataset.uuid)")
    }

    private func batches(_ condition: SQL) async throws(PostgresError) -> [BatchRow] {
        let schema = ReadModel.datasets.schema
        let result = try await database.query(
            """
            select \(fragment: BatchRow.columns)
              from \(identifier: schema).batches where \(fragment: condition)
             order by started nulls last, batch
            """)
        var batches: [BatchRow] = []
        for row in result.rows { batches.append(try BatchRow(row)) }
        return batches
    }
}
