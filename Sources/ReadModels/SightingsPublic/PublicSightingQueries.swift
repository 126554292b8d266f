package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// Reads what anyone may see. Every answer is as of a ``PublicMoment`` and the same for every caller.
package struct PublicSightingQueries: Sendable {
    let database: any PostgresQuerying

    /// The table of records, named `s`.
    static let table: SQL = "\(identifier: ReadModel.sightingsPublic.schema).records s"

    /// Reads through a connection or a pool; maps of everything are long statements and want a connection of their own.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The stream of a record `s`.
    package static let stream: SQL = """
        coalesce((select o.stream from \(identifier: ReadModel.sightingsPublic.schema).origins o where o.id = s.id),
                 s.id)
        """

    /// Whether a text of a record `s` is hidden at a moment.
    package static func isHidden(_ field: ContentField, asOf moment: PublicMoment) -> SQL {
        """
        exists (select from \(identifier: ReadModel.sightingsPublic.schema).hidden h
                 where h.stream = \(fragment: stream) and h.field = \(field.rawValue) and h.since <= \(moment.shown)
                   and (h.until <= \(moment.known)) is not true)
        """
    }

    /// A sighting by its public id; nil when nothing is public under that id.
    /// - Parameter columns: what else to select, of the record `s`; it is read from the row.
    /// - Throws: `PostgresError`.
    package func sighting(
        _ id: SightingID, asOf moment: PublicMoment, and columns: SQL = "null as nothing"
    ) async throws(PostgresError) -> (sighting: PublicSighting, row: PostgresRow)? {
        let result = try await database.query(
            """
            select \(fragment: PublicSighting.selection), \(fragment: columns)
              from \(fragment: Self.table)
             where s.id = \(id.uuid) and \(fragment: moment.condition)
            """)
        guard let row = result.first else { return nil }
        return (try PublicSighting(row), row)
    }

    /// The map of a taxon and all below it in the taxonomy as of the moment: the records that meet the view's filter
    /// and have a public place.
    /// - Throws: `PostgresError`.
    package func map(
        of taxon: TaxonID, _ view: MapView, asOf moment: PublicMoment
    ) async throws(PostgresError) -> MapAnswer {
        try await statement(of: taxon, asOf: moment).answer(view, database)
    }

    /// Reads every record of the map that is passed on in bulk answers in batches, in no particular order.
    /// - Parameter connection: in a transaction, and not used by anything else.
    /// - Throws: `PostgresError`; what `body` throws.
    package func eachPoint(
        of taxon: TaxonID, _ view: MapView, asOf moment: PublicMoment, on connection: PostgresConnection,
        _ body: ([MapAnswer.Point]) async throws -> Void
    ) async throws {
        try await statement(of: taxon, asOf: moment, and: Self.isPassedOn(BulkQuery()))
            .eachPoint(view, connection, body)
    }

    /// The points of some records of the map that are still on it under later restrictions.
    /// - Throws: `PostgresError`.
    package func remaining(
        _ ids: [SightingID], of view: MapView, asOf moment: PublicMoment
    ) async throws(PostgresError) -> [MapAnswer.Point] {
        // No restriction changes the taxon of a record that keeps its id, so the taxonomy is not walked again.
        var view = view
        view.filter.kind = nil
        return try await statement("s.kind = 'record'", asOf: moment, and: Self.isPassedOn(BulkQuery()))
            .points(ids, view, database)
    }

    private func statement(
        of taxon: TaxonID, asOf moment: PublicMoment, and condition: SQL = "true"
    ) -> MapStatement {
        statement(
            """
            s.taxon = any(array(\(fragment: Self.below(taxon, asOf: moment.known)))) and s.taxon is not null
            and s.kind = 'record'
            """, asOf: moment, and: condition)
    }

    private func statement(_ records: SQL, asOf moment: PublicMoment, and condition: SQL) -> MapStatement {
        MapStatement(
            table: Self.table,
            condition: "\(fragment: records) and \(fragment: moment.condition) and \(fragment: condition)",
            cell: "s.cell", countRange: "s.count_range", moment: moment)
    }

    /// A taxon and all below it in the taxonomy as of a position.
    static func below(_ taxon: TaxonID, asOf position: Int64) -> SQL {
        below("\(taxon.uuid)" as SQL, asOf: position)
    }

    /// Some taxa and all below them.
    /// - Parameter taxa: an expression for a taxon, or for a set of them.
    static func below(_ taxa: SQL, asOf position: Int64) -> SQL {
        let parents: SQL = "\(identifier: ReadModel.sightingsPublic.schema).taxon_parents"
        return """
            with recursive below (taxon) as (
                select \(fragment: taxa)
                union
                select p.taxon
                  from below b
                  join \(fragment: parents) p on p.parent = b.taxon
                 where p.since = (select max(l.since) from \(fragment: parents) l
                                   where l.taxon = p.taxon and l.since <= \(position))
            )
            select taxon from below
            """
    }
}
