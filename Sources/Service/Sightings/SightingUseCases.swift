import Domain
import Postgres
import ReadModels
import Vault

/// The use cases of sightings: submitting and changing them, and reading one's own.
package struct SightingUseCases: Sendable {
    package let service: SightingService
    package let findings: OwnReads
    package let lists: OwnLists
    /// The targets that submissions may count towards.
    package let targets: TargetDirectory

    /// - Parameter unverifiedPerDay: how many sightings an account may submit in a day before its address is
    ///   verified; nil for no limit.
    init(_ ground: Ground, accounts: AccountUseCases, limits: DatabaseLimits, unverifiedPerDay: Int?) {
        let (pool, catalogue) = (ground.pool, ground.catalogue)
        // Findings and lists wait for the same turns.
        let reads = ground.reads.inTurn(FairTurns(limits.listTurns))
        findings = OwnReads(reads: reads, catalogue: catalogue)
        lists = OwnLists(reads: reads, catalogue: catalogue)
        targets = TargetDirectory(TargetQueries(pool), catalogue: catalogue, logger: ground.logger)
        service = SightingService(
            store: ground.store, contents: ground.contents, publicIDs: PublicIDs(pool), photos: OwnedPhotos(pool),
            accounts: ground.directory, reservations: ground.reservations, catalogue: catalogue, targets: targets,
            places: ground.places.index, zones: SystemZoneRules(), signer: ground.signer, now: ground.now,
            unverified: unverifiedPerDay.map {
                UnverifiedQuota(
                    accounts: accounts.verified, quotas: DailyQuotas(database: pool), perDay: $0, now: ground.now)
            })
    }
}
