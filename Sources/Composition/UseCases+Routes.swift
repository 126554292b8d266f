internal import Service
package import WebAPI

extension UseCases {
    /// Every group of routes.
    /// - Parameters:
    ///   - document: the path of `openapi.yaml`.
    ///   - share: the folder of the reference data.
    package func routes(document: String, share: String) -> [any RouteGroup] {
        let epoch = log.epoch
        return [
            AccountRoutes(accounts, epoch: epoch),
            SessionRoutes(sessions, accounts: accounts),
            SightingRoutes(sightings, epoch: epoch),
            FindingRoutes(sightings, epoch: epoch),
            FindingListRoutes(FindingReader(pool, catalogue: catalogue), log, catalogue),
            PublicSightingRoutes(PublicReader(pool, catalogue: catalogue), log, catalogue),
            TaxonRoutes(catalogue, TaxonService(store)),
            RegionRoutes(places.regions, stateNames: places.states.mapValues(\.name)),
            LogRoutes(log),
            ReferenceRoutes(document: document, folder: share + "/docs"),
        ]
    }
}
