import Domain
import Foundation
import JSON
import Testing

@testable import WebAPI

/// The confidence scale is one list in the domain, which documents repeat.
struct AboutTests {
    @Test func `docs/about.md has the confidence scale`() throws {
        let (begin, end) = ("<!-- confidence: generated, a test compares -->\n", "<!-- end of confidence -->")
        let file = ProjectFile.url("docs/about.md")
        var page = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(page.range(of: begin)?.upperBound)
        let place = start..<(try #require(page.range(of: end, range: start..<page.endIndex)?.lowerBound))
        if ProcessInfo.processInfo.environment["SKEIN_WRITE_GENERATED"] != nil {
            page.replaceSubrange(place, with: AboutPage.confidenceTable)
            try Data(page.utf8).write(to: file, options: .atomic)
        } else {
            #expect(page[place] == AboutPage.confidenceTable, "run the tests once with SKEIN_WRITE_GENERATED=1")
        }
    }

    @Test func `the contract describes the same scale`() throws {
        let schema = try OpenAPIDocument().schema("NewSighting")
        let description = try #require(schema["properties"]?["confidence"]?["description"]?.text)
        #expect(description.contains(AboutPage.confidenceTable))
    }

    @Test func `anchors are points of the scale, in order, with its ends`() {
        let values = Confidence.anchors.map(\.value.value)
        #expect(values == values.sorted() && Set(values).count == values.count)
        #expect(values.first == Confidence.bounds.lowerBound && values.last == Confidence.bounds.upperBound)
    }

    @Test func `a missing file is no page`() {
        #expect(AboutRoutes(file: "/nowhere/about.md").routes.count == 1)
        #expect(AboutPage.withoutComments("a\n<!-- b -->\nc\n") == "a\nc\n")
    }
}
