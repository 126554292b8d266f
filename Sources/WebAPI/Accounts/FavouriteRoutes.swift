import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// The taxa that an account marks for itself.
package struct FavouriteRoutes: RouteGroup {
    let favourites: FavouriteService

    package var routes: [Route] {
        let one = "/v1/me/favourites/{id}"
        return [
            Route(.get, "/v1/me/favourites", .signedIn, reads: [.query], list),
            Route(.put, one, .signedIn, problems: [.notFound, .tooManyFavourites], add),
            Route(.delete, one, .signedIn, problems: [.notFound], remove),
        ]
    }

    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let items = try await favourites.list(of: try context.signedIn().accountID)
        return .json(
            JSONWriter.bytes(of: FavouriteList(items: items)))
    }

    private func add(_ request: Request, _ context: APIContext) async throws -> Response {
        try await favourites.add(try context.favouriteTaxon(), to: try context.signedIn().accountID)
        return Response(status: .noContent)
    }

    private func remove(_ request: Request, _ context: APIContext) async throws -> Response {
        try await favourites.remove(try context.favouriteTaxon(), from: try context.signedIn().accountID)
        return Response(status: .noContent)
    }
}

extension APIContext {
    /// The taxon that the path names.
    /// - Throws: 404 for what is no id.
    fileprivate func favouriteTaxon() throws(ProblemDetails) -> TaxonID {
        guard let id = parameters.get("id").flatMap(TaxonID.init) else { throw ProblemDetails(.notFound) }
        return id
    }
}
