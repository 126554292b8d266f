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
