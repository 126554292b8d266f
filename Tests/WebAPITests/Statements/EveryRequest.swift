import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOConcurrencyHelpers
import ReadModels
import Service
import TestSupport
import Testing

@testable import Forms
@testable import Web
@testable import WebAPI

/// Requests to every route, and to every list with each of its parameters.
struct EveryRequest {
    let served: ServedRoutes
    let scene: CrowdedScene
    let region: String
    let owner: Caller
    let moderator: Caller
    let researcher: Caller
    let admin: Caller

    init(_ served: ServedRoutes, _ scene: CrowdedScene, _ region: String) async throws {
        (self.served, self.scene, self.region) = (served, scene, region)
        owner = try await Caller.logIn(served, scene.birder)
        moderator = try await Caller.register(served, role: .moderator)
        researcher = try await Caller.register(served, role: .researcher)
        admin = try await Caller.register(served, role: .admin)
    }

    /// - Parameter around: sends each, once or more.
    func sendAll(
        _ around: (Route, () async throws -> Void) async throws -> Void = { try await $1() }
    ) async throws {
        for route in served.routes where route.name != "DELETE /v1/sessions/current" {
            let samples = try await SampleRequests(of: owner, for: route, in: region)
            try await around(route) {
                let answer = try await samples.send(route, by: caller(of: route))
                #expect(answer.status.code < 500, "\(route.name)")
            }
        }
        for operation in try OpenAPIDocument().operations where operation.method == "GET" {
            for query in try queries(of: operation) { try await send(operation, query, around) }
        }
        let records: HTTPFields = [.accept: FeatureSequence.contentType]
        for query in ["", "?bbox=-100,0,-80,20"] {
            let path = "/v1/taxa/\(scene.taxon)/map\(query)"
            #expect(try await Caller.anonymous(served).send(.get, path, headers: records).status == .ok)
        }
        for query in ["", "?taxon=\(scene.taxon)", "?region=\(region)"] {
            let path = "/v1/sightings\(query)"
            #expect(
                try await Caller.anonymous(served).send(.get, path, headers: [.accept: "text/csv"]).status == .ok)
        }
    }

    private func caller(of route: Route) -> Caller {
        switch route.audience {
        case .anyone, .credentials, .recovery, .operators: .anonymous(served)
        case .signedIn, .personal: owner
        case .moderators: moderator
        case .researchers: researcher
        case .admins: admin
        }
    }

    /// One for each parameter, none, and all that go together.
    private func queries(of operation: OpenAPIDocument.Operation) throws -> [String] {
        let document = try OpenAPIDocument()
        let parameters = try (operation.node["parameters"]?.items ?? []).map { try document.resolve($0) }
            .filter { $0["in"]?.string == "query" }
        if parameters.isEmpty { return [] }
        let required = try parameters.filter { $0["required"] == .boolean(true) }.compactMap(sample)
        let others = try parameters.filter { $0["required"] != .boolean(true) }.compactMap(sample)
        let all = required + others.filter { !$0.hasPrefix("asOf") && !$0.hasPrefix("visit") }
        // The figures of all records take a build for tests seconds; their statement is the same for any box.
        let few = ["/ranges", "/trend"].contains { operation.path.hasSuffix($0) } ? ["bbox=-125,0,-75,4"] : []
        return [required, all].map { $0.joined(separator: "&") }
            + others.map { (required + ($0.hasPrefix("bbox") ? [] : few) + [$0]).joined(separator: "&") }
    }

    /// `name=value`; nil for cursors, which are followed.
    private func sample(_ parameter: JSONValue) throws -> String? {
        let name = try #require(parameter["name"]?.string)
        switch name {
        case "after": return nil
        case "asOf": return "asOf=\(scene.today)"
        case "taxon": return "taxon=\(scene.taxon)"
        case "limit": return "limit=20"
        case "from", "to": return "\(name)=2026-05-01"
        case "bbox": return "bbox=-125,0,-75,49"
        default: break
        }
        let example = try #require(parameter["example"], "\(name) has no example")
        let text = example.string ?? example.integer.map { "\($0)" } ?? example.boolean.map { "\($0)" }
        return "\(name)=\(try #require(text).replacing(" ", with: "%20"))"
    }

    /// Also reads the next page, if there is one.
    private func send(
        _ operation: OpenAPIDocument.Operation, _ query: String,
        _ around: (Route, () async throws -> Void) async throws -> Void
    ) async throws {
        guard let route = served.routes.first(where: { $0.name == operation.name }), route.audience != .operators,
            !query.isEmpty || !route.template.contains("/events")
        else { return }
        let id = route.template.hasPrefix("/v1/taxa/") ? scene.taxon : scene.finding
        let template = route.template.replacing("/observers/{id}", with: "/observers/\(scene.observer)")
        // The same records each time.
        let code = ["/ranges", "/species"].contains { template.hasSuffix($0) } ? CrowdedScene.region : region
        var path: String? = "\(template.replacing("{id}", with: id).replacing("{code}", with: code))?\(query)"
        // A day can be asked for when it is over.
        let now = query.contains("asOf") ? Instant.now.adding(seconds: 2 * 86_400) : nil
        for _ in 0..<2 {
            guard let next = path else { return }
            try await around(route) {
                let answer = try await ServedRoutes.$now.withValue(now) {
                    try await caller(of: route).send(.get, next)
                }
                #expect(answer.status.code < 500, "\(next)")
                path = answer.headers[.link]?.firstMatch(of: /<([^>]+)>/).map { String($0.1) }
            }
        }
    }
}

extension Caller {
    /// The same account at another service of the database.
    fileprivate static func logIn(_ served: ServedRoutes, _ caller: Caller) async throws -> Caller {
        let session = try await anonymous(served).send(.post, "/v1/sessions", json: credentials(caller.email))
        return Caller(
            served: served, email: caller.email, token: try session.text("accessToken"),
            account: caller.account)
    }
}
