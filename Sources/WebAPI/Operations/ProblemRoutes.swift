import HTTPTypes
import Hummingbird
import NIOCore
package import Web

/// `/problems/{slug}`: what the `type` of a problem leads to.
package struct ProblemRoutes: RouteGroup {
    /// Makes the route.
    package init() {}

    package var routes: [Route] {
        [Route(.get, "/problems/{slug}", .anyone, problems: [.notFound]) { _, context in try Self.entry(context) }]
    }

    private static func entry(_ context: APIContext) throws(ProblemDetails) -> Response {
        guard let type = ProblemType.allCases.first(where: { $0.slug == context.parameters.get("slug") }) else {
            throw ProblemDetails(.notFound)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/markdown; charset=utf-8", .cacheControl: CachePolicy.publicMinutes.rawValue,
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: ProblemsPage.section(type))))
    }
}

/// `docs/problems.md`, generated from the list of problems.
package enum ProblemsPage {
    /// The whole page, in Markdown.
    package static func markdown() -> String {
        let head = """
            <!-- Generated from Sources/Web/Problems/ProblemType.swift; a test compares. -->
            # Problems

            Errors are `application/problem+json` (RFC 9457): `type`, `title`, `status`, sometimes `detail`,
            `instance` (the request's id, also in `X-Request-Id` and in the service's log), and `errors` where several
            things can be wrong at once. Each entry of `errors` has a `code`, a `detail` with the rule in words, and
            the place of the fault: `pointer` (a JSON pointer into the body), `parameter` or `header`. `type` is
            relative to the service, which serves the section below at that path. At most 100 errors are listed;
            `detail` then says how many there are. Only bytes that are no proper HTTP request (a header of more than
            16 KiB, more than 32 KiB or 100 headers, no `Host` or several, a wrong `Transfer-Encoding`) get a bare 400
            or, for an unknown transfer coding, 501.

            | status | type | title |
            |---|---|---|

            """
        let rows = sorted.map { "| \($0.status.code) | [`\($0.slug)`](#\($0.slug)) | \($0.title) |\n" }
        return head + rows.joined() + sorted.map { "\n" + section($0) }.joined()
    }

    /// One kind of problem, in Markdown.
    package static func section(_ type: ProblemType) -> String {
        var text = "## \(type.slug)\n\n**\(type.status.code) \(type.title).** \(type.meaning)\n"
        if !type.errors.isEmpty {
            text += "\nFrom: \(type.errors.map { "`\($0)`" }.joined(separator: ", ")).\n"
        }
        return text
    }

    private static var sorted: [ProblemType] {
        ProblemType.allCases.sorted { ($0.status.code, $0.slug) < ($1.status.code, $1.slug) }
    }
}
