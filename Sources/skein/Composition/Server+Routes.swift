import Postgres
import Service
import WebAPI

extension Server {
    /// Every group of routes.
    func routes(_ cases: UseCases, _ pool: PostgresPool) -> [any RouteGroup] {
        let (epoch, log, catalogue) = (cases.log.epoch, cases.log, cases.catalogue)
        return [
            AccountRoutes(cases.accounts, epoch: epoch),
            SessionRoutes(cases.sessions, accounts: cases.accounts),
            SightingRoutes(cases.sightings, epoch: epoch),
            FindingRoutes(cases.sightings, epoch: epoch),
            FindingListRoutes(FindingReader(pool, catalogue: catalogue), log, catalogue),
            PublicSightingRoutes(PublicReader(pool, catalogue: catalogue), log, catalogue),
            TaxonRoutes(catalogue, TaxonService(cases.store)),
            RegionRoutes(cases.places.regions, stateNames: cases.places.states.mapValues(\.name)),
            LogRoutes(log),
            ReferenceRoutes(document: installation.document, folder: installation.share + "/docs"),
        ]
    }
}
