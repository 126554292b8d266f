import Foundation
import HTTPTypes
import Testing

@testable import Web
@testable import WebAPI

struct ProblemTypeTests {
    @Test func `docs/problems.md is generated from the list`() throws {
        let file = ProjectFile.url("docs/problems.md")
        if ProcessInfo.processInfo.environment["SKEIN_WRITE_GENERATED"] != nil {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(ProblemsPage.markdown().utf8).write(to: file, options: .atomic)
        }
        #expect(
            try String(contentsOf: file, encoding: .utf8) == ProblemsPage.markdown(),
            "run the tests once with SKEIN_WRITE_GENERATED=1")
    }

    @Test(arguments: ProblemType.allCases)
    func `slugs and titles are unique, and every kind is explained`(type: ProblemType) {
        #expect(ProblemType.allCases.count { $0.slug == type.slug || $0.title == type.title } == 1)
        #expect(type.slug.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D })
        #expect(type.status.kind == .clientError || type.status.kind == .serverError)
        #expect(type.meaning.hasSuffix(".") && type.meaning.count > 30)
    }

    @Test func `every declared kind is in the list`() throws {
        let file = ProjectFile.url("Sources/Web/Problems/ProblemType.swift")
        let declarations = try String(contentsOf: file, encoding: .utf8).matches(of: /static let (\w+) = ProblemType\(/)
        #expect(declarations.count == ProblemType.allCases.count)
    }
}

/// Finds files of the project from the place of this one.
enum ProjectFile {
    static func url(_ path: String, from file: String = #filePath) -> URL {
        // Tests/WebAPITests/Problems/<this file>
        (0..<4).reduce(URL(fileURLWithPath: file)) { url, _ in url.deletingLastPathComponent() }
            .appendingPathComponent(path)
    }
}
