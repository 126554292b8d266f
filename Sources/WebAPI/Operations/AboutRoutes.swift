import Domain
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
package import Web

/// `/v1/about`: what the service is and how it works, for the help page of an app.
package struct AboutRoutes: RouteGroup {
    /// nil where the file is missing.
    private let body: [UInt8]?

    /// - Parameter file: the path of `docs/about.md`.
    package init(file: String) {
        body = (try? String(contentsOfFile: file, encoding: .utf8)).map {
            JSONWriter.bytes(of: AboutPage(markdown: AboutPage.withoutComments($0)))
        }
    }

    package var routes: [Route] {
        [
            Route(.get, "/v1/about", .anyone, reads: [.query, .tag], problems: [.notFound]) { request, _ in
                try QueryReader.expectNone(in: request)
                guard let body else { throw ProblemDetails(.notFound) }
                return try Response.publicRepresentation(body, for: request)
            }
        ]
    }
}

/// The page in Markdown, and the confidence scale, which apps show where a sighting is reported.
struct AboutPage: JSONRepresentable {
    let markdown: String

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("markdown", markdown)
            writer.field(
                "confidence",
                object: { writer in
                    writer.field("minimum", Confidence.bounds.lowerBound)
                    writer.field("maximum", Confidence.bounds.upperBound)
                    writer.field("anchors", array: Confidence.anchors) { writer, anchor in
                        writer.object { writer in
                            writer.field("value", anchor.value.value)
                            writer.field("meaning", anchor.meaning)
                        }
                    }
                })
        }
    }

    /// The lines of a page but for those that are comments, which are for whoever edits the file.
    static func withoutComments(_ page: String) -> String {
        page.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("<!--") }
            .joined(separator: "\n")
    }

    /// The table of the confidence scale as the page has it.
    static let confidenceTable =
        "| value | meaning |\n|---|---|\n"
        + Confidence.anchors.map { "| \($0.value.value) | \($0.meaning) |\n" }.joined()
}
