import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import WebAPI

/// A request to each route that its owner may make: about a sighting, its taxon or the account.
struct SampleRequests {
    let owner: Caller
    /// The id of the owner's sighting.
    let sighting: String
    let taxon: String
    let position: HTTPFields

    /// Submits a sighting.
    init(of owner: Caller) async throws {
        let sent = try await owner.submit()
        self.owner = owner
        sighting = try #require(try sent.text("id"))
        taxon = try #require(try sent.text("taxon.id"))
        position = try sent.position
    }

    /// Sends the route's request, with everything it requires.
    /// - Parameter more: headers beside those.
    func send(
        _ route: Route, by caller: Caller, query: String = "", headers more: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = route.inputs.contains(.position) ? position : [:]
        if route.inputs.contains(.version) { headers[.ifMatch] = "*" }
        for field in more { headers[field.name] = field.value }
        let body = route.inputs.contains(.body) ? try await body(for: route) : nil
        return try await caller.send(route.method, path(of: route) + query, headers: headers, json: body)
    }

    private func path(of route: Route) -> String {
        let id =
            switch route.template {
            case let path where path.hasPrefix("/v1/taxa/"): taxon
            case let path where path.hasPrefix("/v1/accounts/"): owner.account?.description ?? ""
            default: sighting
            }
        let path = route.template.replacing("{id}", with: id).replacing("{slug}", with: "not-found")
            .replacing("{asset}", with: "start.js")
        return path == "/v1/taxa" ? path + "?q=wren" : path
    }

    /// A body that the route accepts.
    private func body(for route: Route) async throws -> String {
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
