import Service
import Web

extension ResearchUseCases {
    func routes(on ground: Ground, records: RecordUseCases) -> [any RouteGroup] {
        let vocabulary = FilterVocabulary(ground.places.index, ground.catalogue, records.reads)
        return [
            ResearchListRoutes(research: self, records: records.reads, log: ground.log, vocabulary: vocabulary),
            ResearchExportRoutes(exporting: exporting, log: ground.log, vocabulary: vocabulary),
            ResearchDiffRoutes(exporting: exporting, log: ground.log),
        ]
    }
}
