import FoundationEssentials
import HTTPTypes
import Hummingbird
package import Web

/// `/openapi.yaml`, and `/docs`: the same as a page that makes requests.
package struct ReferenceRoutes: RouteGroup {
    /// The path of `openapi.yaml`.
    let document: String
    /// The path of `share/docs`: the pages, and in `swagger-ui` what `scripts/docs-assets` copies there.
    let folder: String
    private let files = FileIO()

    package var routes: [Route] {
        [
            Route(.get, "/openapi.yaml", .anyone) { _, context in
                try await answer(document, "application/yaml", context)
            },
            Route(.get, "/docs", .anyone) { _, context in try await page(context) },
            Route(.get, "/docs/{asset}", .anyone, problems: [.notFound]) { _, context in try await asset(context) },
        ]
    }

    /// Without the assets a page that says so, so that `/docs` always leads on.
    private func page(_ context: APIContext) async throws -> Response {
        let type = "text/html; charset=utf-8"
        guard Self.assets.allSatisfy({ Self.exists(folder + $0.path) }) else {
            return try await answer(folder + "/missing.html", type, context)
        }
        var response = try await answer(folder + "/index.html", type, context)
        response.headers[.framing] = Self.policy
        return response
    }

    private func asset(_ context: APIContext) async throws -> Response {
        guard let asset = Self.assets.first(where: { $0.name == context.parameters.get("asset") }) else {
            throw ProblemDetails(.notFound)
        }
        return try await answer(folder + asset.path, asset.type, context)
    }

    private func answer(_ path: String, _ type: String, _ context: APIContext) async throws -> Response {
        guard Self.exists(path) else { throw ProblemDetails(.notFound) }
        return Response(
            status: .ok, headers: [.contentType: type, .cacheControl: CachePolicy.publicMinutes.rawValue],
            body: try await files.loadFile(path: path, context: context))
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    private struct Asset {
        let name: String
        let path: String
        let type: String
    }

    /// Nothing but these is served from the folder.
    private static let assets = [
        Asset(name: "swagger-ui-bundle.js", path: "/swagger-ui/swagger-ui-bundle.js", type: "text/javascript"),
        Asset(name: "swagger-ui.css", path: "/swagger-ui/swagger-ui.css", type: "text/css"),
        Asset(name: "start.js", path: "/start.js", type: "text/javascript"),
    ]

    /// Swagger UI sets styles of its own and has images in its style sheet; everything else comes from here.
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
        connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """
}
