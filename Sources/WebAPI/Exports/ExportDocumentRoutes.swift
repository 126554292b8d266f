import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// The documents that describe and cite an export.
package struct ExportDocumentRoutes: RouteGroup {
    let exports: ExportUseCases
    let log: LogState

    package var routes: [Route] {
        [
            route("manifest", "application/json") { JSONWriter.bytes(of: ExportManifest($0)) },
            route("CITATION.cff", "application/yaml") { CitationFile($0).bytes },
            route("citation.bib", "application/x-bibtex; charset=utf-8") { BibliographyFile($0).bytes },
            route("datacite.json", "application/json") { JSONWriter.bytes(of: DataCiteMetadata($0)) },
        ]
    }

    private func route(
        _ name: String, _ contentType: String, _ document: @escaping @Sendable (ExportFacts) -> [UInt8]
    ) -> Route {
        Route(
            .get, "/v1/exports/{id}/\(name)", .anyone, reads: [.query, .position, .tag],
            problems: [.notFound, .gone, .unavailable, .exportNotReady]
        ) { request, context in
            let id = try context.exportID()
            var query = QueryReader(request)
            let revision = query.exportRevision()
            try query.finish()
            let facts = try await exports.documents.facts(
                of: id, revision: revision, try await Asked(request.headers, log))
            return try .publicRepresentation(
                document(facts.value), for: request, headers: try HTTPFields(reflecting: facts, of: log),
                contentType: contentType)
        }
    }
}
