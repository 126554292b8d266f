import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import Service
@testable import Web

extension RouteTests {
    private static let me = "/v1/me"

    @Test func `one's own account is changed by a merge patch`() async throws {
        let birder = try await Caller.register(try .required)
        let tag = try #require(try await birder.send(.get, Self.me).headers[.eTag])
        let key = UUID()
        let body =
            #"{"state":"US-WA","displayName":"heron","language":"pt-BR","licence":"CC0-1.0","publicGallery":false}"#
        let changed = try await birder.send(.patch, Self.me, key: key, headers: [.ifMatch: tag], json: body)
        #expect(changed.status == .ok, "\(String(buffer: changed.body))")
        #expect(try changed.text("region") == "pacific-northwest" && changed.text("displayName") == "heron")
        #expect(try changed.text("language") == "pt-BR" && changed["publicGallery"]?.boolean == false)
        let again = try await birder.send(.patch, Self.me, key: key, headers: [.ifMatch: tag], json: body)
        #expect(again.body == changed.body)
        let stale = try await birder.send(.patch, Self.me, headers: [.ifMatch: tag], json: body)
        #expect(try stale.problem == "precondition-failed")
        let sent = try await birder.submit()
        #expect(try sent.text("licence") == "CC0-1.0")
        let cleared = try await birder.send(
            .patch, Self.me, headers: [.ifMatch: "*"], json: #"{"displayName":null,"language":null,"state":null}"#)
        #expect(try cleared.text("displayName")?.hasPrefix("birder ") == true)
        #expect(try cleared["language"] == .null && cleared["state"] == .null)
    }

    @Test func `everything wrong with a patch of an account is answered at once`() async throws {
        let birder = try await Caller.register(try .required)
        func patch(_ body: String) async throws -> TestResponse {
            try await birder.send(.patch, Self.me, headers: [.ifMatch: "*"], json: body)
        }
        let wrong = try await patch(
            #"{"name":null,"displayName":"x","language":"English","licence":null,"publicGallery":1,"email":"a@b.org"}"#)
        #expect(
            try wrong.faults == ["/name", "/displayName", "/language", "/licence", "/publicGallery", "/email"])
        #expect(try await patch(#"{"state":"US-XX","region":"moon"}"#).faults == ["/state", "/region"])
        #expect(try await patch(#"{"state":"US-WA","region":"hawaii"}"#).faults == ["/region"])
        #expect(try await patch(#"{"state":"US-WA"}"#).status == .ok)
        #expect(try await patch(#"{"region":"hawaii"}"#).faults == ["/region"])
    }

    @Test func `a closed gallery lists nothing, and its photos stay where they are`() async throws {
        let served = try ServedRoutes.required
        let owner = try await Caller.register(served)
        let route = try #require(served.routes.first { $0.name == "GET /v1/photos/{id}" })
        let sample = try await SampleRequests(of: owner, for: route)
        let observer = try #require(try await owner.send(.get, Self.me).text("observerId"))
        func gallery() async throws -> Int? {
            try await Caller.anonymous(served).send(.get, "/v1/observers/\(observer)/gallery")["items"]?.items.count
        }
        #expect(try await gallery() == 1)
        for (isPublic, count) in [(false, 0), (true, 1)] {
            let changed = try await owner.send(
                .patch, Self.me, headers: [.ifMatch: "*"], json: #"{"publicGallery":\#(isPublic)}"#)
            try await served.followToHead()
            #expect(changed.status == .ok)
            #expect(try await gallery() == count)
            let photo = try await Caller.anonymous(served).send(.get, "/v1/photos/\(sample.publicPhoto)")
            #expect(photo.status == .ok)
        }
    }
}

// MARK: - Admins

extension RouteTests {
    @Test func `an admin finds an account by its address, and sees nothing private of it`() async throws {
        let served = try ServedRoutes.required
        let (admin, birder) = (try await Caller.register(served, role: .admin), try await Caller.register(served))
        let found = try await admin.send(
            .post, "/v1/accounts/lookup", json: #"{"email":"\#(birder.email.uppercased())"}"#)
        let id = try #require(birder.account)
        #expect(try found.text("id") == id.description)
        #expect(!String(buffer: found.body).contains(birder.email))
        #expect(try await admin.send(.get, "/v1/accounts/\(id)").body == found.body)
        let nobody = try await admin.send(
            .post, "/v1/accounts/lookup", json: #"{"email":"\#(UUID())@example.org"}"#)
        #expect(try nobody.problem == "not-found")
        #expect(try await admin.send(.get, "/v1/accounts/\(UUID())").problem == "not-found")
    }

    @Test func `a revoked role no longer counts, whatever the token says`() async throws {
        let served = try ServedRoutes.required
        let admin = try await Caller.register(served, role: .admin)
        let moderator = try await Caller.register(served, role: .moderator)
        let (id, queue) = (try #require(moderator.account), "/v1/moderation/queue?limit=1")
        #expect(try await moderator.send(.get, queue).status == .ok)
        let path = "/v1/accounts/\(id)/roles/moderator?reason=inactive"
        let revoked = try await admin.send(.delete, path)
        #expect(try revoked["roles"]?.items.compactMap(\.string) == ["birder"])
        #expect(try await moderator.send(.get, queue).problem == "forbidden")
        #expect(try await admin.send(.delete, path).status == .ok, "it is revoked already")
        let birder = try await admin.send(.delete, "/v1/accounts/\(id)/roles/birder")
        #expect(try birder.problem == "conflict")
        #expect(try await admin.send(.delete, "/v1/accounts/\(id)/roles/king").problem == "not-found")
        #expect(try await admin.send(.delete, path + "x").problem == "invalid-parameter")
    }

    @Test func `a suspended account reads what is its own, logs out, and does nothing else`() async throws {
        let served = try ServedRoutes.required
        let admin = try await Caller.register(served, role: .admin)
        let suspended = try await Caller.register(served, role: .moderator)
        let id = try #require(suspended.account)
        _ = try await served.cases.accounts.service.grant(.admin, to: id, by: nil, key: UUID())
        let answer = try await admin.send(
            .put, "/v1/accounts/\(id)/suspension", json: #"{"reason":"abuse","until":"2099-01-01T00:00:00Z"}"#)
        #expect(try answer.text("suspension.reason") == "abuse")
        let leaving = ["DELETE /v1/sessions/current", "DELETE /v1/me/sessions/{id}", "POST /v1/me/erasure"]
        for route in served.routes where route.audience.isSignedIn && !leaving.contains(route.name) {
            let isRead = [.signedIn, .personal].contains(route.audience) && route.method == .get
            let path = route.template.replacing("{id}", with: UUID().uuidString.lowercased())
                .replacing("{rendition}", with: "thumb").replacing("{role}", with: "researcher")
            let response = try await suspended.send(route.method, path)
            let isRefused = try response.status == .forbidden && response.problem == "suspended"
            #expect(isRefused != isRead, "\(route.name): \(response.status)")
        }
        #expect(try await suspended.send(.get, "/v1/me").text("suspension.until") == "2099-01-01T00:00:00Z")
        let lifted = try await admin.send(.delete, "/v1/accounts/\(id)/suspension?reason=appealed")
        #expect(try lifted["suspension"] == .null)
        #expect(try await suspended.submit().status == .created)
        _ = try await admin.send(.put, "/v1/accounts/\(id)/suspension", json: #"{"reason":"spam"}"#)
        #expect(try await suspended.send(.delete, "/v1/sessions/current").status == .noContent)
        let again = try await suspended.another()
        #expect(try await again.leave(.keep).status == .accepted)
    }

    @Test func `an admin erases a name, and does not suspend itself`() async throws {
        let served = try ServedRoutes.required
        let (admin, birder) = (try await Caller.register(served, role: .admin), try await Caller.register(served))
        _ = try await birder.send(
            .patch, Self.me, headers: [.ifMatch: "*"], json: #"{"displayName":"a bad word"}"#)
        let id = try #require(birder.account)
        let erased = try await admin.send(.delete, "/v1/accounts/\(id)/display-name?reason=offensive")
        #expect(try erased.text("displayName")?.hasPrefix("birder ") == true)
        #expect(try await birder.send(.get, Self.me).text("displayName")?.hasPrefix("birder ") == true)
        let own = try await admin.send(
            .put, "/v1/accounts/\(try #require(admin.account))/suspension", json: #"{"reason":"spam"}"#)
        #expect(try own.problem == "conflict")
        let past = try await admin.send(
            .put, "/v1/accounts/\(id)/suspension", json: #"{"reason":"spam","until":"2020-01-01T00:00:00Z"}"#)
        #expect(try past.faults == ["/until"])
    }
}
