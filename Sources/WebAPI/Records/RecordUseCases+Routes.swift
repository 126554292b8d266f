import Service
import Web

extension RecordUseCases {
    func routes(on ground: Ground) -> [any RouteGroup] {
        [
            PublicSightingRoutes(
                records: reads, log: ground.log, catalogue: ground.catalogue, places: ground.places.index),
            TaxonRoutes(catalogue: ground.catalogue, taxa: taxa),
            RegionRoutes(ground.places.regions, stateNames: ground.places.states.mapValues(\.name)),
        ]
    }
}
