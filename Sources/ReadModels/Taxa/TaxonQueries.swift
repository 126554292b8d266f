internal import EventLog
package import Postgres

/// Reads the taxonomy. Names are searched in memory, over what ``changes(after:)`` gives.
package struct TaxonQueries: Sendable {
    /// Changed taxa, and the position up to which they are complete.
    package struct Changes: Sendable {
        /// The taxa, in the order of their newest events.
        package let taxa: [TaxonRow]
        /// The position that the model had reached.
        package let position: Int64
    }

    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The taxa with events above a position; all of them above 0. Taxa whose first payload was redacted are left out.
    /// - Throws: `PostgresError`.
    package func changes(after position: Int64 = 0) async throws(PostgresError) -> Changes {
        let model = ReadModel.taxa
        // The checkpoint is read first: taxa folded in between are returned again by the next call.
        let checkpoint = try await database.query(
            """
            select position from model.checkpoints
             where name = \(model.name) and version = \(Int32(clamping: model.version))
            """)
        let reached: Int64 = try checkpoint.first?.decode("position") ?? 0
        let result = try await database.query(
            """
            select \(fragment: TaxonRow.columns)
              from \(identifier: model.schema).taxa
             where position > \(position) and scientific_name is not null
             order by position
            """)
        var taxa: [TaxonRow] = []
        taxa.reserveCapacity(result.count)
        for row in result.rows { taxa.append(try TaxonRow(row)) }
        return Changes(taxa: taxa, position: reached)
    }
}
