import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Looking taxa up.
package struct TaxonRoutes: RouteGroup {
    let catalogue: Catalogue
    let taxa: TaxonService

    package var routes: [Route] {
        [
            Route(.get, "/v1/taxa", .anyone, reads: [.query, .tag]) { request, _ in try search(request) },
            Route(
                .get, "/v1/taxa/{id}", .anyone, reads: [.query, .tag], problems: [.notFound, .unavailable], taxon),
        ]
    }

    private func search(_ request: Request) throws -> Response {
        var query = QueryReader(request)
        let text = query.required("q", Self.searchText)
        let kind = query.optional("kind", TaxonKind.init(word:))
        let limit = query.pageLimit()
        try query.finish()
        let names = catalogue.names
        let items = names.search(text ?? "", kind: kind, limit: limit).compactMap { hit in
            names.summary(of: hit.taxon).map { FoundTaxon(taxon: $0, matchedName: hit.name) }
        }
        return try .publicRepresentation(JSONWriter.bytes(of: Page(items: items, next: nil)), for: request)
    }

    private static func searchText(_ text: String) throws(RuleViolation) -> String {
        guard (1...200).contains(text.unicodeScalars.count) else {
            throw RuleViolation(.length, "must have 1 to 200 characters")
        }
        return text
    }

    private func taxon(_ request: Request, _ context: APIContext) async throws -> Response {
        let summary = try context.taxon(in: catalogue)
        try QueryReader.expectNone(in: request)
        let taxon = WholeTaxon(summary: summary, taxon: try await taxa.taxon(summary.id), names: catalogue.names)
        return try .publicRepresentation(JSONWriter.bytes(of: taxon), for: request)
    }
}
