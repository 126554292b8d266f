import EventLog
package import Postgres

extension PublicSightingQueries {
    /// How many records of a selection are removed from it, added to it or replaced in it between two moments, which
    /// differ in the restrictions that apply. A record that has another public id afterwards is one.
    /// - Throws: `PostgresError`.
    package func restricted(
        in selection: RecordSelection, from earlier: PublicMoment, to later: PublicMoment
    ) async throws(PostgresError) -> Int {
        let result = try await database.query(
            """
            select count(distinct coalesce(
                       (select o.stream from \(identifier: ReadModel.sightingsPublic.schema).origins o
                         where o.id = s.id), s.id)) as records
              from \(fragment: Self.table)
             where \(fragment: PublicListStatement.isComplete)
               and coalesce((\(fragment: selection.condition(asOf: earlier))), false)
                   <> coalesce((\(fragment: selection.condition(asOf: later))), false)
            """)
        return try result.onlyRow().decode("records")
    }
}
