import Service
import Web

extension ExportUseCases {
    func routes(on ground: Ground, records: RecordUseCases) -> [any RouteGroup] {
        let vocabulary = FilterVocabulary(ground.places.index, ground.catalogue, records.reads)
        return [
            ExportRoutes(exports: self, log: ground.log, vocabulary: vocabulary),
            ExportDataRoutes(exports: self, log: ground.log), ExportErrataRoutes(exports: self, log: ground.log),
            ExportDiffRoutes(exports: self, log: ground.log), ExportDocumentRoutes(exports: self, log: ground.log),
        ]
    }
}
