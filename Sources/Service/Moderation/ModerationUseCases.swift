import Domain
import Postgres
import ReadModels
import Vault

/// The use cases of moderation: the queue, decisions, flags, and the statistics of them.
package struct ModerationUseCases: Sendable {
    package let service: ModerationService
    package let queue: ModerationQueue
    package let batches: DecisionBatches
    package let report: ModerationReport
    package let flags: FlagService

    init(_ ground: Ground, records: RecordUseCases, photos: PhotoUseCases, sightings: SightingUseCases) {
        let (pool, reads) = (ground.pool, ground.reads)
        let (queries, claims) = (ModerationQueries(pool), Claims(database: pool))
        service = ModerationService(
            store: ground.store, contents: ground.contents, conversations: ReviewConversations(pool),
            photos: photos.service, sightings: sightings.service, claims: claims,
            audit: PlaceAudit(
                reads: ExactReads(database: pool), publicIDs: sightings.service.publicIDs, now: ground.now),
            evidence: EvidenceQueries(pool), months: reads.months, log: ground.log, signer: ground.signer,
            now: ground.now)
        queue = ModerationQueue(
            reads: reads, queries: queries, claims: claims, interests: InterestRecords(database: pool),
            moderation: service)
        batches = DecisionBatches(reads: reads, moderation: service, queries: queries)
        report = ModerationReport(reads: reads, queries: queries)
        flags = FlagService(
            store: ground.store, records: records.reads, quotas: DailyQuotas(database: pool), signer: ground.signer,
            now: ground.now)
    }
}
