import Domain
import EventLog
import Logging
import NIOConcurrencyHelpers
import ReadModels

/// The targets of all chosen weeks in memory, so that a submission need not query the database for them. It is brought
/// up to date every second; a choice made meanwhile is not noticed yet.
package final class TargetDirectory: Sendable {
    private struct Week: Sendable {
        let id: TargetsID
        /// Without those that were replaced.
        let taxa: Set<TaxonID>
    }

    private struct Key: Hashable {
        let region: RegionCode
        let week: ISOWeek
    }

    private struct Content {
        var weeks: [Key: Week] = [:]
        /// The taxa of all targets, replaced ones included.
        var taxa: [TargetID: TaxonID] = [:]
        var position: Int64 = 0
    }

    private let queries: TargetQueries
    private let catalogue: Catalogue
    private let logger: Logger
    private let content = NIOLockedValueBox(Content())

    /// Empty until it is refreshed.
    init(_ queries: TargetQueries, catalogue: Catalogue, logger: Logger) {
        (self.queries, self.catalogue, self.logger) = (queries, catalogue, logger)
    }

    /// The taxon of a target; nil for an id that no target has.
    func taxon(of target: TargetID) -> TaxonID? {
        content.withLockedValue { $0.taxa[target] }
    }

    /// The targets of the region and week of an observation, if one of them is the taxon or above it; at a border also
    /// those of the other region, after the place's own. Nil where the observation does not lie within one week.
    func targets(asking taxon: TaxonID?, at place: Place, _ observed: ObservedInterval) -> TargetsID? {
        let week = ISOWeek(of: observed.localFrom)
        guard let taxon, observed.localTo <= week.sunday else { return nil }
        let regions = [place.region, place.borderRegion].compactMap(\.self)
        let found = content.withLockedValue { content in
            regions.compactMap { content.weeks[Key(region: $0, week: week)] }
        }
        guard !found.isEmpty else { return nil }
        let line = catalogue.names.lineage(of: taxon)
        return found.first { line.contains(where: $0.taxa.contains) }?.id
    }

    /// Reads the weeks that have changed since.
    package func refresh() async throws {
        let changed = try await queries.changes(after: content.withLockedValue { $0.position })
        content.withLockedValue { content in
            for week in changed where week.status == .chosen {
                let present = week.targets.filter { $0.replacedAt == nil }
                content.weeks[Key(region: week.region, week: week.week)] = Week(
                    id: week.id, taxa: Set(present.map(\.taxon)))
                for target in week.targets { content.taxa[target.id] = target.taxon }
            }
            content.position = max(content.position, changed.map(\.position).max() ?? 0)
        }
    }

    /// Refreshes repeatedly until the task is cancelled.
    package func run() async {
        await repeating(every: .seconds(1), else: "targets not loaded", at: .warning, to: logger) {
            try await refresh()
        }
    }
}
