package import Domain
import EventLog
import FoundationEssentials
import Postgres
package import ReadModels

/// A region's week as anyone may see it.
package struct ShownWeek: Sendable {
    /// The outcome of the week.
    package enum Status: String, Sendable {
        case chosen, missed
        /// The week runs, and its targets will be chosen in the next minutes.
        case pending
    }

    package let id: TargetsID
    package let region: Region
    package let week: ISOWeek
    package let status: Status
    package let startsAt: Instant
    package let endsAt: Instant
    package let relaxed: [Relaxation]
    /// In their order.
    package let targets: [ShownTarget]
    /// Those that were replaced.
    package let replaced: [ShownTarget]
}

/// A target with its taxon and an image.
package struct ShownTarget: Sendable {
    package let row: TargetRow
    /// nil where the catalogue lacks the taxon.
    package let taxon: TaxonSummary?
    /// The newest approved photo; nil if there is none.
    package let image: ShownPhoto?
}

/// Reads targets for everyone.
package struct TargetReader: Sendable {
    let records: PublicReads
    let calendar: TargetCalendar
    let catalogue: Catalogue

    private static let plan = ReadPlan(.sightingsPublic, .accounts, .taxa, .targets)

    /// A region by its code.
    package func region(_ code: RegionCode) throws(RuleViolation) -> Region {
        try calendar.places.index.region(code)
    }

    /// The week that it is in a region.
    package func runningWeek(of region: Region) throws -> ISOWeek {
        try calendar.runningWeek(of: region)
    }

    /// A region's week that has begun.
    /// - Throws: ``CommandError/notFound`` for a later one, and for one of which nothing is recorded; what the database
    ///   throws.
    package func week(
        _ region: Region, _ week: ISOWeek, _ asked: Asked
    ) async throws -> Shown<ShownWeek> {
        let running = try calendar.runningWeek(of: region)
        guard week <= running else { throw CommandError.notFound }
        return try await records.read(Self.plan, asked) { reader, moment in
            let found = try await TargetQueries(reader.pool).week(region.code, week)
            if let shown = try await shown(found, region, reader, moment) { return shown }
            guard week == running else { throw CommandError.notFound }
            return try withoutTargets(region, week, .pending)
        }
    }

    /// The weeks of a region that are chosen or missed and have begun, the newest first.
    /// - Throws: what the database throws.
    package func history(
        of region: Region, _ page: TargetQueries.Page, _ asked: Asked
    ) async throws -> Shown<Slice<ShownWeek, ISOWeek>> {
        let running = try calendar.runningWeek(of: region)
        return try await records.read(Self.plan, asked) { reader, moment in
            let found = try await TargetQueries(reader.pool).history(of: region.code, upTo: running, page)
            var weeks: [ShownWeek] = []
            for week in found.items {
                if let shown = try await shown(week, region, nil, moment) { weeks.append(shown) }
            }
            return found.with(weeks)
        }
    }

    /// - Parameter reader: where images are looked up; nil for none.
    private func shown(
        _ found: TargetWeek?, _ region: Region, _ reader: PublicReader?, _ moment: PublicMoment
    ) async throws -> ShownWeek? {
        guard let found, found.status != .planned else { return nil }
        guard found.status == .chosen, let startsAt = found.startsAt, let endsAt = found.endsAt else {
            return try withoutTargets(region, found.week, .missed)
        }
        let present = found.targets.filter { $0.replacedAt == nil }
        let images = try await reader?.images(of: present.map(\.taxon), asOf: moment) ?? [:]
        let names = catalogue.names
        func shown(_ row: TargetRow) -> ShownTarget {
            ShownTarget(row: row, taxon: names.summary(of: row.taxon), image: images[row.taxon])
        }
        return ShownWeek(
            id: found.id, region: region, week: found.week, status: .chosen, startsAt: startsAt, endsAt: endsAt,
            relaxed: found.relaxed, targets: present.map(shown),
            replaced: found.targets.filter { $0.replacedAt != nil }.map(shown))
    }

    private func withoutTargets(
        _ region: Region, _ week: ISOWeek, _ status: ShownWeek.Status
    ) throws -> ShownWeek {
        let span = try calendar.span(of: week, in: region)
        return ShownWeek(
            id: calendar.ids.targets(region.code, week), region: region, week: week, status: status,
            startsAt: span.lowerBound, endsAt: span.upperBound, relaxed: [], targets: [], replaced: [])
    }
}

extension PublicReader {
    /// The newest photo of each of a few taxa.
    /// - Throws: what the database throws.
    func images(of taxa: [TaxonID], asOf moment: PublicMoment) async throws -> [TaxonID: ShownPhoto] {
        try await withThrowingTaskGroup(of: (TaxonID, ShownPhoto?).self) { group in
            for taxon in taxa {
                group.addTask {
                    let found = try await gallery(.taxon(taxon), PublicPhotoQueries.Page(limit: 1), asOf: moment)
                    return (taxon, found.items.first)
                }
            }
            var images: [TaxonID: ShownPhoto] = [:]
            for try await (taxon, image) in group { images[taxon] = image }
            return images
        }
    }
}
