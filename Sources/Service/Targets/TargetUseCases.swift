import Domain
import Postgres
import ReadModels

/// The use cases of targets: choosing, planning and showing them, and a birder's progress.
package struct TargetUseCases: Sendable {
    package let rotation: TargetRotation
    package let service: TargetService
    package let reader: TargetReader
    package let own: OwnTargets

    /// - Parameter kinds: the kinds of species that targets are chosen from.
    /// - Throws: what reading the reference data throws.
    init(_ ground: Ground, records: RecordUseCases, kinds: Set<TaxonKind>) throws {
        let (pool, store, catalogue) = (ground.pool, ground.store, ground.catalogue)
        let lists = try TargetLists(folder: ground.share + "/targets")
        let calendar = TargetCalendar(places: ground.places, zones: SystemZoneRules(), now: ground.now)
        rotation = TargetRotation(
            store: store, log: ground.log, queries: TargetQueries(pool),
            statistics: RegionStatistics(
                store: store, season: SeasonQueries(pool), taxa: TaxonQueries(pool), lists: lists, kinds: kinds),
            calendar: calendar, signer: ground.signer)
        service = TargetService(
            store: store, catalogue: catalogue, calendar: calendar, lists: lists, signer: ground.signer,
            now: ground.now)
        reader = TargetReader(records: records.reads, calendar: calendar, catalogue: catalogue)
        own = OwnTargets(accounts: ground.directory, targets: reader, reads: ground.reads, now: ground.now)
    }
}
