import Service
import Web

extension ModerationUseCases {
    func routes(on ground: Ground, photos: PhotoUseCases, sightings: SightingUseCases) -> [any RouteGroup] {
        let log = ground.log
        return [
            ModerationRoutes(moderation: service, webPs: photos.caches.webPs, log: log),
            ModerationHistoryRoutes(findings: sightings.findings, moderation: service, log: log),
            ModerationCorrectionRoutes(moderation: service, log: log),
            DecisionBatchRoutes(batches: batches, log: log),
            ModerationQueueRoutes(queue: queue, places: ground.places.index, log: log),
            ModeratorRoutes(queue: queue),
            ModerationStatisticsRoutes(queue: queue, report: report, log: log),
            FlagRoutes(flags: flags, catalogue: ground.catalogue),
            ReasonRoutes(),
        ]
    }
}
