import Bytes
import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import Postgres
import Testing

@testable import Service
@testable import Web

/// No answer of any route has a position of the log, and no public one has the moment at which something was recorded.
struct PositionsStayInsideTests {
    /// Events before those of the test, so that no other number in an answer is one of their positions.
    private static let earlier = 10_000

    @Test func `no representation, header or problem of any route gives a position or, publicly, a moment away`()
        async throws
    {
        try await ServedRoutes.run { served in
            let owner = try await Caller.register(served)
            let account = try #require(owner.account?.description)
            try await served.appendCopies(
                of: account, Self.earlier, "jsonb_build_object('observer', gen_random_uuid())")
            let first = try await served.cases.ground.log.reader.origin()
            try await served.followToHead()
            let answers = try await collect(served, owner)
            let last = try await served.cases.ground.log.reader.origin()
            try #require(last.position > first.position + 50)
            let succeeded = Set(answers.filter { $0.answer.status.kind == .successful }.map(\.route))
            #expect(Set(served.routes.map(\.name)).subtracting(succeeded) == Self.rejected)
            let search = LeakSearch(
                positions: first.position...last.position,
                moments: Instant(try #require(first.lastRecorded))...Instant(try #require(last.lastRecorded)))
            for sample in answers {
                for leak in try search.leaks(in: sample.answer, isPublic: sample.isPublic) {
                    Issue.record("\(sample.route), \(sample.circumstances): \(leak)")
                }
            }
        }
    }

    private static let logOut = "DELETE /v1/sessions/current"
    /// The routes that no caller gets a result from: no researcher asked for an export.
    private static let rejected: Set<String> = [
        logOut, "POST /v1/me/erasure", "GET /v1/research/exports/{id}", "GET /v1/research/exports/{id}/data",
        "GET /v1/research/exports/{id}/diff",
    ]

    private struct Sample {
        let route: String
        let circumstances: String
        let isPublic: Bool
        let answer: TestResponse
    }

    /// Answers to what every role may ask of every route, to wrong parameters and headers, and about sightings that
    /// were corrected, withdrawn and generalised.
    private func collect(
        _ served: ServedRoutes, _ owner: Caller
    ) async throws -> [Sample] {
        var answers: [Sample] = []
        let callers = [Caller.anonymous(served), owner, try await .register(served, role: .admin)]
        for state in State.allCases {
            for route in served.routes where route.name != Self.logOut {
                let requests = try await SampleRequests(of: owner, for: route)
                try await state.reach(requests)
                for caller in route.audience == .operators ? [callers[0]] : callers {
                    for (query, headers) in state.variants(of: route) {
                        let answer = try await requests.send(route, by: caller, query: query, headers: headers)
                        answers.append(
                            Sample(
                                route: route.name, circumstances: "\(query) \(headers) \(state)",
                                isPublic: route.audience == .anyone, answer: answer))
                    }
                }
            }
        }
        return answers
    }

    /// What has become of the sighting that is asked for.
    private enum State: CaseIterable {
        case submitted, corrected, withdrawn

        func reach(_ requests: SampleRequests) async throws {
            let path = "/v1/me/findings/\(requests.sighting)"
            let tag: HTTPFields = [.ifMatch: "*"]
            switch self {
            case .submitted: break
            case .corrected:
                _ = try await requests.owner.send(.patch, path, headers: tag, json: #"{"geoprivacy":"obscured"}"#)
            case .withdrawn: _ = try await requests.owner.send(.delete, path, headers: tag)
            }
        }

        /// Queries and headers to try with a route.
        func variants(of route: Route) -> [(String, HTTPFields)] {
            if route.audience == .operators { return self == .submitted ? [("", [:])] : [] }
            guard self == .submitted, route.method == .get else { return [("", [:])] }
            let hasQuery = route.template == "/v1/taxa" || route.template.hasSuffix("/diff")
            return [
                ("", [:]), (hasQuery ? "&limt=1" : "?limt=1", [:]), ("", [.logPosition: "1-7"]),
                ("", [.logPosition: "0-7"]), ("", [.ifNoneMatch: "x"]),
            ] + (route.inputs.contains(.asOf) ? [("?asOf=2020-01-01", [:]), ("?asOf=9999-01-01", [:])] : [])
                + (route.name == "GET /v1/me/findings" ? [("?limit=1", [:])] : [])
        }
    }

    @Test func `a public tag does not change with what is recorded elsewhere`() async throws {
        try await ServedRoutes.run { served in
            let requests = try await SampleRequests(of: try await Caller.register(served))
            try await served.followToHead()
            let paths = ["", "/history"].map { "/v1/sightings/\(requests.sighting)\($0)" }
            for path in paths + ["/v1/taxa/\(requests.taxon)"] {
                let anyone = Caller.anonymous(served)
                let first = try await anyone.send(.get, path, headers: requests.position)
                let other = try await SampleRequests(of: requests.owner)
                let second = try await anyone.send(.get, path, headers: other.position)
                #expect(first.headers[.eTag] != nil && first.headers[.eTag] == second.headers[.eTag], "\(path)")
            }
        }
    }

    @Test func `a leak is noticed`() throws {
        let time = try Instant("2026-05-01T07:30:00.5Z")
        let search = LeakSearch(positions: 10_005...10_060, moments: time...time.adding(seconds: 60))
        func leaks(_ json: String) throws -> Int {
            search.leaks(in: try JSONValue(parsing: Array(json.utf8)), at: "", isPublic: true).count
        }
        let bytes = withUnsafeBytes(of: Int64(10_007).bigEndian) { Array($0) }
        for leak in [
            #"{"position":null}"#, #"{"a":[10007]}"#, #"{"a":"1-10007"}"#, #"{"a":"x 10007."}"#,
            #"{"a":"1-\#(Base64.url.encode(bytes + [1, 2, 3]))"}"#,
            #"{"a":"\#(Base64.url.encode([9, 9, 9] + bytes))"}"#,
            #"{"a":"2026-05-01T09:30:30+02:00"}"#, #"{"recordedAt":null}"#, #"{"a":1777620630000.0}"#,
        ] {
            #expect(try leaks(leak) == 1, "\(leak)")
        }
        #expect(try leaks(#"{"recordedOn":"2026-05-01","a":10061,"b":"2026-05-01T07:29:59Z","c":"1-x10007"}"#) == 0)
    }

    @Test func `no schema has a position, and no public one a moment`() throws {
        let document = try OpenAPIDocument()
        let routes = try ServedRoutes.list.get().filter { $0.audience == .anyone }.map(\.name)
        for operation in document.operations {
            let isPublic = routes.contains(operation.name)
            for name in try members(of: operation.node["responses"] ?? .null, document) {
                #expect(!LeakSearch.positionNames.contains(name) || name == "lag", "\(operation.name) \(name)")
                #expect(!isPublic || !LeakSearch.momentNames.contains(name), "\(operation.name) \(name)")
            }
        }
    }

    /// The names of all members that a schema below a node describes.
    private func members(of node: JSONValue, _ document: OpenAPIDocument) throws -> Set<String> {
        var (names, seen): (Set<String>, Set<String>) = ([], [])
        var rest = [node]
        while let next = rest.popLast() {
            if case .string(let reference)? = next["$ref"] {
                if seen.insert(reference).inserted { rest.append(try document.resolve(next)) }
                continue
            }
            if let properties = next["properties"] { names.formUnion(properties.members.map(\.name)) }
            for member in next.members where !["example", "examples"].contains(member.name) {
                rest.append(member.value)
            }
            if case .array(let items) = next { rest += items }
        }
        return names
    }
}
