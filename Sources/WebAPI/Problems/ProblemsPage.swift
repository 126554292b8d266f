internal import HTTPTypes

/// `docs/problems.md`, generated from the catalogue.
package enum ProblemsPage {
    /// The whole page, in Markdown.
    package static func markdown() -> String {
        let head = """
            <!-- Generated from the problem catalogue in Sources/WebAPI/Problems; a test compares. -->
            # Problems

            Every error is answered as `application/problem+json` (RFC 9457): `type`, `title`, `status`, sometimes
            `detail`, `instance` (the request's id, also in `X-Request-Id` and in the service's log), and `errors`
            where several things can be wrong at once. Each entry of `errors` has a `code`, a `detail` with the rule
            in words, and where it applies: `pointer` (a JSON pointer into the body), `parameter` or `header`.
            `type` is relative to the service and answers with the entry below. Only what is not read as an HTTP
            request at all (an unknown method, a header of more than 16 KiB, more than 32 KiB or 100 of them) gets
            a bare 400.

            | status | type | title |
            |---|---|---|

            """
        let rows = sorted.map { "| \($0.status.code) | [`\($0.rawValue)`](#\($0.rawValue)) | \($0.title) |\n" }
        return head + rows.joined() + sorted.map { "\n" + section($0) }.joined()
    }

    /// One entry of the catalogue, in Markdown.
    package static func section(_ type: ProblemType) -> String {
        var text = "## \(type.rawValue)\n\n**\(type.status.code) \(type.title).** \(type.entry.meaning)\n"
        if !type.entry.errors.isEmpty {
            text += "\nFrom: \(type.entry.errors.map { "`\($0)`" }.joined(separator: ", ")).\n"
        }
        return text
    }

    private static var sorted: [ProblemType] {
        ProblemType.allCases.sorted { ($0.status.code, $0.rawValue) < ($1.status.code, $1.rawValue) }
    }
}
