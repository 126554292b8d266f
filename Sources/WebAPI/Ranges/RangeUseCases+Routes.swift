import Service
import Web

extension RangeUseCases {
    func routes(on ground: Ground, records: RecordUseCases) -> [any RouteGroup] {
        let vocabulary = FilterVocabulary(ground.places.index, ground.catalogue, records.reads)
        return [
            RangeRoutes(ranges: self, log: ground.log, catalogue: ground.catalogue, vocabulary: vocabulary),
            RegionRangeRoutes(
                ranges: self, log: ground.log, places: ground.places.index, vocabulary: vocabulary),
        ]
    }
}
