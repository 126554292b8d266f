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

/// No statement of a request depends on the luck of its plan.
///
/// PostgreSQL plans a prepared statement for its values five times, then it may take one plan for all values, and
/// before a table is analysed it guesses. So every route is requested, and every list with each of its parameters,
/// under both kinds of plans, before and after the tables are analysed; the statements are those that the server
/// reports. Each is requested four times, which takes some time.
@Suite(.hangs) struct StatementPlanTests {
    private static let sightings = 60_000
    /// One kind of plan may take so many times as many rows as another one.
    private static let factor = 10
    /// Rows that no one notices: some milliseconds.
    private static let few = 10_000

    @Test func `a statement takes much the same rows by any kind of plan, analysed or not`() async throws {
        let works = NIOLockedValueBox<[String: [String: Int]]>([:])
        try await withTestDatabase(models: ReadModel.all) { database in
            let scene = try await Self.fill(database)
            // Each needs a region without targets.
            var regions = ["great-lakes", "pacific-northwest", "alaska", "california"]
            for analysed in ["before", "after"] {
                if analysed == "after" { try await scene.analyse() }
                for plans in ["force_custom_plan", "force_generic_plan"] {
                    let region = regions.removeLast()
                    let watch = StatementWatch()
                    try await ServedRoutes.serve(database, watchedBy: watch, planning: plans) { served in
                        let found = try await watch.works { try await Requests(served, scene, region).sendAll() }
                        works.withLockedValue { works in
                            for (statement, rows) in found {
                                let most = works[statement]?["\(plans) \(analysed)"] ?? 0
                                works[statement, default: [:]]["\(plans) \(analysed)"] = max(most, rows)
                            }
                        }
                    }
                }
            }
            try await Self.expectMaps(database, of: scene.taxon)
        }
        let all = works.withLockedValue { $0 }
        #expect(all.count > 100, "the server reports the statements of requests")
        for (statement, rows) in all {
            let (least, most) = (rows.values.min() ?? 0, rows.values.max() ?? 0)
            #expect(most <= Self.factor * least + Self.few, "\(rows)\n\(statement)")
        }
    }

    /// A hundred maps of all records, on one connection and with the plans that PostgreSQL chooses.
    private static func expectMaps(_ database: TestDatabase, of taxon: String) async throws {
        var limits = ServedRoutes.wideLimits
        limits.maps = 1
        try await ServedRoutes.serve(database, limits: limits) { served in
            for number in 0..<100 {
                let answer = try await Caller.anonymous(served).send(.get, "/v1/taxa/\(taxon)/map?zoom=8")
                try #require(answer.status == .ok, "the map number \(number)")
            }
        }
    }

    private static func fill(_ database: TestDatabase) async throws -> CrowdedScene {
        let scene = NIOLockedValueBox<CrowdedScene?>(nil)
        try await ServedRoutes.serve(database) { served in
            let filled = try await CrowdedScene(
                served, with: Caller.sighting(more: #","notes":"singing""#), among: 500, taxa: 0)
            try await filled.addRows(sightings)
            scene.withLockedValue { $0 = filled }
        }
        return try #require(scene.withLockedValue { $0 })
    }
}

/// Requests to every route, and to every list with each of its parameters.
private struct Requests {
    let served: ServedRoutes
    let scene: CrowdedScene
    let region: String
    let owner: Caller
    let moderator: Caller
    let admin: Caller

    init(_ served: ServedRoutes, _ scene: CrowdedScene, _ region: String) async throws {
        (self.served, self.scene, self.region) = (served, scene, region)
        owner = try await Caller.logIn(served, scene.birder)
        moderator = try await Caller.register(served, role: .moderator)
        admin = try await Caller.register(served, role: .admin)
    }

    func sendAll() async throws {
        for route in served.routes where route.name != "DELETE /v1/sessions/current" {
            let samples = try await SampleRequests(of: owner, for: route, in: region)
            let answer = try await samples.send(route, by: caller(of: route))
            #expect(answer.status.code < 500, "\(route.name)")
        }
        for operation in try OpenAPIDocument().operations where operation.method == "GET" {
            for query in try queries(of: operation) { try await send(operation, query) }
        }
        let records: HTTPFields = [.accept: FeatureSequence.contentType]
        for query in ["", "?bbox=-100,0,-80,20"] {
            let path = "/v1/taxa/\(scene.taxon)/map\(query)"
            #expect(try await Caller.anonymous(served).send(.get, path, headers: records).status == .ok)
        }
    }

    private func caller(of route: Route) -> Caller {
        switch route.audience {
        case .anyone, .credentials, .recovery, .operators: .anonymous(served)
        case .signedIn, .personal: owner
        case .moderators: moderator
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
        return [required, all].map { $0.joined(separator: "&") }
            + others.map { (required + [$0]).joined(separator: "&") }
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
        let text = example.string ?? example.integer.map { "\($0)" }
        return "\(name)=\(try #require(text).replacing(" ", with: "%20"))"
    }

    /// Also reads the next page, if there is one.
    private func send(_ operation: OpenAPIDocument.Operation, _ query: String) async throws {
        guard let route = served.routes.first(where: { $0.name == operation.name }), route.audience != .operators,
            !query.isEmpty || !route.template.contains("/events")
        else { return }
        let id = route.template.hasPrefix("/v1/taxa/") ? scene.taxon : scene.finding
        let template = route.template.replacing("/observers/{id}", with: "/observers/\(scene.observer)")
        var path: String? = "\(template.replacing("{id}", with: id))?\(query)"
        // A day can be asked for when it is over.
        let now = query.contains("asOf") ? Instant.now.adding(seconds: 2 * 86_400) : nil
        for _ in 0..<2 {
            guard let next = path else { return }
            let answer = try await ServedRoutes.$now.withValue(now) {
                try await caller(of: route).send(.get, next)
            }
            #expect(answer.status.code < 500, "\(next)")
            path = answer.headers[.link]?.firstMatch(of: /<([^>]+)>/).map { String($0.1) }
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
