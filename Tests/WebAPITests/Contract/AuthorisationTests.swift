import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import Web

extension RouteTests {
    @Test func `every route answers every role as its audience says, and shows nobody another's sightings`()
        async throws
    {
        // Alone: answers to anyone show what others submit, and some requests claim whatever waits.
        try await ServedRoutes.run { try await Self.expectAudiences($0) }
    }

    private static func expectAudiences(_ served: ServedRoutes) async throws {
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
            let requests = try await SampleRequests(of: owner, for: route)
            var bodies: Set<[UInt8]> = []
            for (role, caller) in others + [("owner", owner)] {
                let response = try await requests.send(route, by: caller)
                #expect(response.status.code == Self.expected(route, role), "\(route.name), \(role)")
                let body = String(buffer: response.body)
                bodies.insert(Array(body.utf8))
                if role != "owner", [.signedIn, .personal].contains(route.audience) {
                    #expect(!body.contains(requests.sighting) && !body.contains(owner.email), "\(route.name), \(role)")
                }
            }
            if route.audience == .anyone { #expect(bodies.count == 1, "\(route.name)") }
        }
    }

    private static let logOut = "DELETE /v1/sessions/current"

    private static func expected(_ route: Route, _ role: String) -> Int {
        let isPrivate = [.signedIn, .personal, .moderators, .researchers, .admins].contains(route.audience)
        if isPrivate, role == "anonymous" { return 401 }
        if route.audience == .admins, role != "admin" { return 403 }
        if route.audience == .moderators, role != "admin", role != "moderator" { return 403 }
        if route.audience == .researchers, role != "admin", role != "researcher" { return 403 }
        // The researcher and the admin ask for one of the owner's.
        if route.template.hasPrefix("/v1/research/exports/{id}") { return 404 }
        let isOwn = [
            "/v1/me/findings/{id}", "/v1/me/photos/{id}", "/v1/me/uploads/{id}", "/v1/me/sessions/{id}",
            "/v1/me/keys/{id}", "/v1/me/exports/{id}",
        ].contains { route.template.hasPrefix($0) }
        if isOwn, role != "owner" { return 404 }
        if route.template.hasSuffix("/flags") { return role == "owner" ? 403 : 204 }
        switch route.name {
        case "POST /v1/me/email-verifications", "PUT /v1/me/email", "POST /v1/password-resets",
            "POST /v1/exports":
            return 202
        case "PUT /v1/email-verifications", "PUT /v1/password-resets", "PUT /v1/me/password",
            "DELETE /v1/me/sessions/{id}", "DELETE /v1/me/keys/{id}":
            return 204
        case "POST /v1/me/erasure": return 403
        case "POST /v1/me/keys", "POST /v1/research/exports": return 201
        case "POST /v1/accounts", "POST /v1/sessions", "POST /v1/sightings", "POST /v1/me/findings/{id}/photos",
            "PATCH /v1/me/uploads/{id}":
            return 201
        case logOut, "DELETE /v1/me/findings/{id}", "DELETE /v1/me/photos/{id}", "DELETE /v1/moderation/claims",
            "GET /v1/me/uploads/{id}", "DELETE /v1/me/uploads/{id}", "PUT /v1/me/favourites/{id}",
            "DELETE /v1/me/favourites/{id}", "DELETE /v1/me/exports/{id}":
            return 204
        default: return 200
        }
    }
}
