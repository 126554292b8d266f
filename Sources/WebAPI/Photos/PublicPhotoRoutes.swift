import Domain
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// Approved photos, for anyone: one by one, and in galleries.
package struct PublicPhotoRoutes: RouteGroup {
    let records: PublicReads
    let files: PublicPhotoFiles
    let webPs: ConversionCache
    let log: LogState
    let catalogue: Catalogue
    let places: PlaceIndex

    package var routes: [Route] {
        let inputs: Set<RouteInput> = [.query, .asOf, .position, .tag]
        return [
            Route(.get, "/v1/photos/{id}", .anyone, reads: inputs, problems: [.notFound, .unavailable], photo),
            Route(
                .get, "/v1/photos/{id}/{rendition}", .anyone, reads: inputs.subtracting([.asOf]),
                problems: [.notFound, .unavailable, .rangeNotSatisfiable], file),
            Route(.get, "/v1/taxa/{id}/gallery", .anyone, reads: inputs, problems: [.notFound, .unavailable], ofTaxon),
            Route(
                .get, "/v1/observers/{id}/gallery", .anyone, reads: inputs, problems: [.notFound, .unavailable],
                ofObserver),
        ]
    }

    private func photo(_ request: Request, _ context: APIContext) async throws -> Response {
        let id = try context.photoID()
        let asked = try await Asked(ofDay: request, log)
        let photo = try await records.read(PublicReader.named, asked) { try await $0.photo(id, asOf: $1) }
        return try Response.publicRepresentation(
            JSONWriter.bytes(of: photo.value), for: request, headers: try HTTPFields(reflecting: photo, of: log))
    }

    private func file(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        guard let name = context.parameters.get("rendition").flatMap(RenditionName.init(rawValue:)) else {
            throw ProblemDetails(.notFound)
        }
        let id = try context.photoID()
        let file = try await files.file(name, of: id, try await Asked(request.headers, log))
        return try await .photo(file, webPs, for: request, .publicMinutes, content: files.content)
    }

    private func ofTaxon(_ request: Request, _ context: APIContext) async throws -> Response {
        let taxon = try context.taxon(in: catalogue).id
        return try await gallery(.taxon(taxon), "taxa/\(taxon)", request)
    }

    private func ofObserver(_ request: Request, _ context: APIContext) async throws -> Response {
        // An observer without photos, or that does not exist, has an empty gallery.
        guard let observer = context.parameters.get("id").flatMap(ObserverID.init) else {
            throw ProblemDetails(.notFound)
        }
        return try await gallery(.observer(observer), "observers/\(observer)", request)
    }

    private func gallery(
        _ gallery: PublicPhotoQueries.Gallery, _ name: String, _ request: Request
    ) async throws -> Response {
        var query = QueryReader(request)
        var page = PublicPhotoQueries.Page(limit: query.pageLimit())
        let filter = query.recordFilter(accepting: [.kind, .region], places)
        (page.kind, page.region) = (filter.kind, filter.region)
        let day = query.asOf()
        let list = PagedList(
            "gallery/" + name, [page.kind?.rawValue, page.region?.text], later: day?.description, log)
        page.after = query.after(list)?.key
        try query.finish()
        let asked = try await Asked(request.headers, asOf: day, log)
        return try list.page(
            try await records.read(PublicReader.galleries, asked) { [page] in
                try await $0.gallery(gallery, page, asOf: $1)
            }, for: request)
    }
}
