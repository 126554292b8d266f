package import Hummingbird

/// Answers the requests of some routes: those whose responses last in separate tasks, and all others in the tasks of
/// their connections.
package struct RouteResponder: HTTPResponder {
    private let responder: RouterResponder<APIContext>
    private let lasting: RoutePaths
    /// The routes that take an image.
    let images: RoutePaths

    init(_ responder: RouterResponder<APIContext>, _ routes: [Route]) {
        self.responder = responder
        lasting = RoutePaths(routes) { $0.isLasting }
        images = RoutePaths(routes) { $0.takesImage }
    }

    /// - Throws: what the routes and their middleware throw.
    package func respond(to request: Request, context: APIContext) async throws -> Response {
        guard lasting.contains(request.method.rawValue, request.uri.path) else {
            return try await responder.respond(to: request, context: context)
        }
        return try await inSeparateTask { try await responder.respond(to: request, context: context) }
    }
}
