import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import WebAPI

extension RouteTests {
    @Test func `every route answers every role as its audience says, and shows nobody another's sightings`()
        async throws
    {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let others: [(role: String, caller: Caller)] = [
            ("anonymous", .anonymous(served)), ("other birder", try await .register(served)),
            ("moderator", try await .register(served, role: .moderator)),
            ("researcher", try await .register(served, role: .researcher)),
            ("admin", try await .register(served, role: .admin)),
        ]
        // The owner comes last: the request may change what the others ask for. So does the end of a session.
        let routes = served.routes.filter { $0.name != Self.logOut } + served.routes.filter { $0.name == Self.logOut }
        for route in routes {
            let finding = try await Finding(owner)
            var bodies: Set<[UInt8]> = []
            for (role, caller) in others + [("owner", owner)] {
                let response = try await Self.send(route, by: caller, owner, finding)
                #expect(response.status.code == Self.expected(route, role), "\(route.name), \(role)")
                let body = String(buffer: response.body)
                bodies.insert(Array(body.utf8))
                if role != "owner", route.audience == .signedIn {
                    #expect(!body.contains(finding.id) && !body.contains(owner.email), "\(route.name), \(role)")
                }
            }
            if route.audience == .anyone { #expect(bodies.count == 1, "\(route.name)") }
        }
    }

    private static let logOut = "DELETE /v1/sessions/current"

    /// A sighting of the owner's.
    private struct Finding {
        let id: String
        let taxon: String
        let position: HTTPFields

        init(_ owner: Caller) async throws {
            let sent = try await owner.submit()
            id = try #require(try sent.text("id"))
            taxon = try #require(try sent.text("taxon.id"))
            position = try sent.position
        }
    }

    private static func expected(_ route: Route, _ role: String) -> Int {
        let isPrivate = route.audience == .signedIn || route.audience == .admins
        if isPrivate, role == "anonymous" { return 401 }
        if route.audience == .admins, role != "admin" { return 403 }
        if route.template.hasPrefix("/v1/me/findings/{id}"), role != "owner" { return 404 }
        switch route.name {
        case "POST /v1/accounts", "POST /v1/sessions", "POST /v1/sightings": return 201
        case logOut, "DELETE /v1/me/findings/{id}": return 204
        default: return 200
        }
    }

    private static func send(
        _ route: Route, by caller: Caller, _ owner: Caller, _ finding: Finding
    ) async throws -> TestResponse {
        let id =
            switch route.template {
            case let path where path.hasPrefix("/v1/taxa/"): finding.taxon
            case let path where path.hasPrefix("/v1/accounts/"): owner.account?.description ?? ""
            default: finding.id
            }
        var path = route.template.replacing("{id}", with: id).replacing("{slug}", with: "not-found")
            .replacing("{asset}", with: "start.js")
        if path == "/v1/taxa" { path += "?q=wren" }
        var headers = route.inputs.contains(.position) ? finding.position : [:]
        if route.inputs.contains(.version) { headers[.ifMatch] = "*" }
        let body = route.inputs.contains(.body) ? try await body(for: route, owner) : nil
        return try await caller.send(route.method, path, headers: headers, json: body)
    }

    /// A body that the route accepts.
    private static func body(for route: Route, _ owner: Caller) async throws -> String {
        switch route.name {
        case "POST /v1/accounts": return Caller.signUp("\(UUID().uuidString)@example.org")
        case "POST /v1/accounts/{id}/roles": return #"{"role":"researcher"}"#
        case "POST /v1/sessions": return Caller.credentials(owner.email)
        case "POST /v1/sessions/refresh":
            let session = try await owner.send(.post, "/v1/sessions", json: Caller.credentials(owner.email))
            return #"{"refreshToken":"\#(try session.text("refreshToken") ?? "")"}"#
        case "POST /v1/sightings": return Caller.sighting()
        case "POST /v1/sightings/batch":
            return #"{"items":[{"key":"\#(UUID())","sighting":\#(Caller.sighting())}]}"#
        case "PATCH /v1/me/findings/{id}": return #"{"count":3}"#
        default:
            Issue.record("no body is known for \(route.name)")
            return "{}"
        }
    }
}
