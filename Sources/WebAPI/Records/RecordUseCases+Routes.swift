import Service
import Web

extension RecordUseCases {
    func routes(on ground: Ground) -> [any RouteGroup] {
        let vocabulary = FilterVocabulary(ground.places.index, ground.catalogue, reads)
        return [
            RecordListRoutes(records: reads, log: ground.log, vocabulary: vocabulary),
            PublicSightingRoutes(
                records: reads, log: ground.log, catalogue: ground.catalogue, vocabulary: vocabulary),
            TaxonRoutes(catalogue: ground.catalogue, taxa: taxa),
            RegionRoutes(ground.places.regions, stateNames: ground.places.states.mapValues(\.name)),
        ]
    }
}
