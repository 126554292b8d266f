internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// `/problems/{slug}`: what the `type` of a problem leads to.
package struct ProblemRoutes: RouteGroup {
    /// Makes the route.
    package init() {}

    package var routes: [Route] {
        [Route(.get, "/problems/{slug}", .operators, problems: [.notFound]) { _, context in try Self.entry(context) }]
    }

    private static func entry(_ context: APIContext) throws(ProblemDetails) -> Response {
        guard let type = ProblemType.allCases.first(where: { $0.slug == context.parameters.get("slug") }) else {
            throw ProblemDetails(.notFound)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/markdown; charset=utf-8", .cacheControl: CachePolicy.publicFiveMinutes.rawValue,
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: ProblemsPage.section(type))))
    }
}
