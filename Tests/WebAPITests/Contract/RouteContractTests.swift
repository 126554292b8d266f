import Foundation
import HTTPTypes
import JSON
import Testing

@testable import Web

struct RouteContractTests {
    private let document: OpenAPIDocument
    private let routes: [Route]

    init() throws {
        document = try OpenAPIDocument()
        routes = try ServedRoutes.list.get()
    }

    @Test func `every route is described once, and everything described is a route`() {
        #expect(routes.map(\.name).sorted() == document.operations.map(\.name).sorted())
    }

    @Test func `a token is described where the audience needs one`() throws {
        for (route, operation) in try pairs() {
            let needsToken = route.problems.contains(.unauthenticated)
            #expect((operation.node["security"] != nil) == needsToken, "\(route.name)")
        }
    }

    @Test func `what a route reads is described, and the other way round`() throws {
        for (route, operation) in try pairs() {
            let parameters = try (operation.node["parameters"]?.items ?? []).map { try document.resolve($0) }
            let names = Set(parameters.compactMap { $0["name"]?.string })
            let hasBody = route.inputs.contains(.body) || route.inputs.contains(.image)
            #expect(hasBody == (operation.node["requestBody"] != nil), "\(route.name)")
            for (input, name) in [
                (RouteInput.key, "Idempotency-Key"), (.tag, "If-None-Match"), (.position, "Log-Position"),
                (.asOf, "asOf"), (.lastEvent, "Last-Event-ID"),
            ] {
                #expect(route.inputs.contains(input) == names.contains(name), "\(route.name) \(name)")
            }
            let match = parameters.first { $0["name"]?.string == "If-Match" }
            #expect((match == nil) == route.inputs.isDisjoint(with: [.version, .match]), "\(route.name)")
            #expect(route.inputs.contains(.version) == (match?["required"] == .boolean(true)), "\(route.name)")
            let hasQuery = parameters.contains { $0["in"]?.string == "query" }
            #expect(!hasQuery || route.inputs.contains(.query), "\(route.name)")
        }
    }

    @Test func `the problems of a route are described, and the other way round`() throws {
        for (route, operation) in try pairs() {
            let described = try problems(of: operation)
            let own = Dictionary(grouping: route.problems.subtracting(Route.always), by: { "\($0.status.code)" })
            #expect(Set(described.keys) == Set(own.keys), "\(route.name)")
            for (status, types) in own {
                // Several routes share a response: it may show more problems than one of them has.
                let missing = Set(types.map(\.uri)).subtracting(described[status] ?? [])
                #expect(missing.isEmpty, "\(route.name) \(status)")
            }
        }
    }

    @Test func `docs/api.md lists every route with its audience`() throws {
        let (begin, end) = ("<!-- routes: generated, a test compares -->\n", "<!-- end of routes -->")
        let file = ProjectFile.url("docs/api.md")
        var page = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(page.range(of: begin)?.upperBound)
        let place = start..<(try #require(page.range(of: end, range: start..<page.endIndex)?.lowerBound))
        if ProcessInfo.processInfo.environment["SKEIN_WRITE_GENERATED"] != nil {
            page.replaceSubrange(place, with: table)
            try Data(page.utf8).write(to: file, options: .atomic)
        } else {
            #expect(page[place] == table, "run the tests once with SKEIN_WRITE_GENERATED=1")
        }
    }
}

extension RouteContractTests {
    private func pairs() throws -> [(Route, OpenAPIDocument.Operation)] {
        let operations = Dictionary(uniqueKeysWithValues: document.operations.map { ($0.name, $0) })
        let pairs = routes.compactMap { route in operations[route.name].map { (route, $0) } }
        try #require(pairs.count > 20)
        return pairs
    }

    /// The types of problems in the examples of each status.
    private func problems(of operation: OpenAPIDocument.Operation) throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for response in operation.node["responses"]?.members ?? [] where response.name != "default" {
            guard let problem = try document.resolve(response.value)["content"]?["application/problem+json"] else {
                continue
            }
            let examples = try (problem["examples"]?.members ?? []).map { try document.resolve($0.value) }
            found[response.name] = Set(examples.compactMap { $0["value"]?["type"]?.string })
        }
        return found
    }

    private var table: String {
        let rows = routes.map { "| `\($0.method.rawValue)` | `\($0.template)` | \($0.audience.words) |\n" }
        return "| method | path | audience |\n|---|---|---|\n" + rows.joined()
    }
}

extension Audience {
    fileprivate var words: String {
        switch self {
        case .anyone: "anyone"
        case .credentials, .recovery: "anyone, with a small quota"
        case .signedIn: "signed-in accounts"
        case .personal: "signed-in accounts, without API keys"
        case .moderators: "moderators and admins"
        case .researchers: "researchers and admins"
        case .admins: "admins"
        case .operators: "operators"
        }
    }
}
