import Service
import Web

extension SightingUseCases {
    func routes(on ground: Ground) -> [any RouteGroup] {
        let (log, places) = (ground.log, ground.places.index)
        return [
            SightingRoutes(sightings: service, log: log),
            FindingRoutes(sightings: service, reads: ground.reads, log: log),
            FindingReviewRoutes(sightings: service, log: log),
            FindingListRoutes(findings: findings, log: log, catalogue: ground.catalogue, places: places),
            OwnListRoutes(lists: lists, places: places, log: log),
        ]
    }
}
