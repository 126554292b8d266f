package import Domain
internal import EventLog
internal import FoundationEssentials
package import Postgres

/// All taxa, read from the log itself: imports must not depend on the progress of a read model.
package struct LoggedTaxa: Sendable {
    private let database: any PostgresQuerying

    /// Reads the log through a pool or a connection.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The present state of every taxon.
    /// - Throws: `PostgresError`, `PayloadFault`.
    package func entries() async throws -> [TaxonEntry] {
        try await states().compactMap { id, state in state.taxon.map { TaxonEntry(id, $0) } }
    }

    /// Every taxon's state, by pages of streams in the order of their ids.
    func states() async throws -> [(TaxonID, TaxonState)] {
        var all: [(TaxonID, TaxonState)] = []
        var last: UUID? = UUID(bytes: [])
        while let after = last {
            let page = try await database.query(
                "select id from log.streams where kind = 'taxon' and id > \(after) order by id limit 1000")
            let ids: [UUID] = try page.rows.map { try $0.decode("id") }
            let found = try await StreamLookup(database: database).states(of: ids, as: TaxonState.self)
            all += ids.compactMap { id in found[id].map { (TaxonID(id), $0.state) } }
            last = ids.last
        }
        return all
    }
}
