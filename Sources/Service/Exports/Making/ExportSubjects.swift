package import Domain
import EventLog
import FoundationEssentials
package import Postgres
import ReadModels
import Vault

/// Finds the names of what the filters of exports name, as they were known at the moments of the exports.
package struct ExportSubjects: Sendable {
    let places: ReferencePlaces
    let site: ExportSite

    /// - Parameters:
    ///   - known: the position of the export's knowledge.
    ///   - requested: when it was asked for, for one without a day.
    /// - Throws: what the database throws.
    package func subject(
        _ id: ExportID, _ query: ExportQuery, asOf known: Int64, requested: Instant, _ pool: PostgresPool
    ) async throws -> ExportSubject {
        var subject = ExportSubject(
            id: id, format: query.format, outputVersion: query.outputVersion, filter: query.filter,
            day: query.day.map { .end($0) } ?? .moment(requested.date()),
            names: try await names(query, asOf: known, pool), organisation: site.organisation,
            address: site.address)
        subject.ranges = query.ranges
        return subject
    }

    private func names(
        _ query: ExportQuery, asOf known: Int64, _ pool: PostgresPool
    ) async throws -> ExportSubject.Names {
        let filter = query.filter
        var names = ExportSubject.Names()
        let only = query.ranges.flatMap { $0.taxa.count == 1 ? $0.taxa.first : nil }
        if let taxon = filter.taxon ?? only {
            let found = try await DatedTaxonQueries(pool).taxa([taxon], asOf: known).lineage(of: taxon).first
            (names.scientificName, names.vernacularName) = (found?.summary.scientificName, found?.summary.commonName)
        }
        if let dataset = filter.dataset?.id {
            let content = try await ContentStore(database: pool).content(
                of: [dataset.uuid], fields: [.title], asOf: known)
            names.dataset = content[dataset.uuid]?[.title]
        }
        names.region = filter.region.flatMap { code in places.regions.first { $0.code == code }?.name }
        names.state = filter.state.flatMap { places.states[$0]?.name }
        return names
    }
}
