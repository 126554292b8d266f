import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Service
import Testing

@testable import Web
@testable import WebAPI

/// The program's routes over the program's use cases; tests are in files by theme.
@Suite(.routes)
struct RouteTests {}

// MARK: - Accounts and sessions

extension RouteTests {
    @Test func `a sign-up is answered again under its key, and no other account gets its e-mail`() async throws {
        let anonymous = Caller.anonymous(try .required)
        let (email, key) = ("\(UUID().uuidString.lowercased())@example.org", UUID())
        let first = try await anonymous.send(.post, "/v1/accounts", key: key, json: Caller.signUp(email))
        #expect(first.status == .created && first.headers[.location] == "/v1/me")
        #expect(try first.text("email") == email && first.text("displayName")?.hasPrefix("birder ") == true)
        let again = try await anonymous.send(.post, "/v1/accounts", key: key, json: Caller.signUp(email))
        #expect(again.body == first.body)
        let other = try await anonymous.send(.post, "/v1/accounts", json: Caller.signUp(email.uppercased()))
        #expect(try other.problem == "email-taken")
        let reused = try await anonymous.send(
            .post, "/v1/accounts", key: key,
            json: Caller.signUp(email).replacing(Caller.password, with: "nine wrens in a hedge"))
        #expect(try reused.problem == "idempotency-key-reused")
    }

    @Test func `all faults of a sign-up are answered at once`() async throws {
        let response = try await Caller.anonymous(try .required).send(
            .post, "/v1/accounts",
            json: #"{"email":"nobody","password":"short","name":"","oldEnough":false,"state":"US-XX","region":"moon"}"#)
        #expect(try response.problem == "validation-failed")
        #expect(try response.faults == ["/email", "/password", "/name", "/oldEnough", "/state", "/region"])
    }

    @Test func `a well-formed sign-up or sighting may be a retry: the service judges it`() async throws {
        let served = try ServedRoutes.required
        let weak = Caller.signUp("ada@example.org").replacing(Caller.password, with: "short")
        _ = try SignUp(try JSONValue(parsing: Array(weak.utf8)), rules: served.cases.accounts.service)
        let rejected = try await Caller.anonymous(served).send(.post, "/v1/accounts", json: weak)
        #expect(try rejected.faults == ["/password"])
        let future = Caller.sighting().replacing("2026-05-01", with: "2126-05-01")
        _ = try SightingRequest(try JSONValue(parsing: Array(future.utf8)), isStrict: false) { _ in
            Issue.record("asked before the service")
            return Faults()
        }
        let birder = try await Caller.register(served)
        #expect(try await birder.send(.post, "/v1/sightings", json: future).faults == ["/observedAt"])
    }

    @Test func `an outing is checked like its sightings, beside other faults and in a correction, too`() async throws {
        let birder = try await Caller.register(try .required)
        let visit = #""visit":{"id":"\#(UUID())","startedAt":"2100-01-01T00:00:00Z","minutes":60}"#
        let submission = Caller.sighting(more: ",\(visit)")
        #expect(try await birder.send(.post, "/v1/sightings", json: submission).faults == ["/visit/startedAt"])
        let worse = submission.replacing("2026-05-01", with: "2126-05-01").replacing(#""count":"#, with: #""counts":"#)
        let faults = try await birder.send(.post, "/v1/sightings", json: worse).faults
        #expect(faults == ["/observedAt", "/visit/startedAt", "/count", "/counts"])
        let batch = #"{"items":[{"key":"\#(UUID())","sighting":\#(submission)}]}"#
        let item = try await birder.send(.post, "/v1/sightings/batch", json: batch)
        #expect(try item.text("items.0.problem.errors.0.pointer") == "/items/0/sighting/visit/startedAt")
        let sighting = try #require(try await birder.submit().text("id"))
        let path = "/v1/me/findings/\(sighting)"
        let corrected = try await birder.send(.patch, path, headers: [.ifMatch: "*"], json: "{\(visit)}")
        #expect(try corrected.faults == ["/visit/startedAt"])
    }

    @Test func `a day that has begun somewhere on Earth is not in the future`() async throws {
        let birder = try await Caller.register(try .required)
        let noon = Instant(startOf: Instant.now.date()).adding(seconds: 12 * 3600)
        try await ServedRoutes.$now.withValue(noon) {
            for (days, status) in [(0, HTTPResponse.Status.created), (1, .created), (2, .unprocessableContent)] {
                let day = noon.date().adding(days: days).description
                let sighting = Caller.sighting().replacing("2026-05-01T07:30:00-07:00", with: day)
                let answer = try await birder.send(.post, "/v1/sightings", json: sighting)
                #expect(answer.status == status, "\(day)")
            }
        }
    }

    @Test func `one's own account is read, conditionally too, and with no parameters`() async throws {
        let birder = try await Caller.register(try .required)
        let account = try await birder.send(.get, "/v1/me")
        #expect(try account.text("id") == birder.account?.description && account.text("email") == birder.email)
        let tag = try #require(account.headers[.eTag])
        #expect(try await birder.send(.get, "/v1/me", headers: [.ifNoneMatch: tag]).status == .notModified)
        #expect(try await birder.send(.get, "/v1/me?page=1").problem == "invalid-parameter")
    }

    @Test func `roles are granted to accounts, and to nothing else`() async throws {
        let served = try ServedRoutes.required
        let (admin, birder) = (try await Caller.register(served, role: .admin), try await Caller.register(served))
        let id = try #require(birder.account)
        let granted = try await admin.send(.post, "/v1/accounts/\(id)/roles", json: #"{"role":"moderator"}"#)
        #expect(try granted["roles"]?.items.compactMap(\.string) == ["birder", "moderator"])
        let same = try await admin.send(.post, "/v1/accounts/\(id)/roles", json: #"{"role":"birder"}"#)
        #expect(same.status == .ok)
        let sighting = try #require(try await birder.submit().text("id"))
        for nothing in [sighting, UUID().uuidString, "nobody"] {
            let response = try await admin.send(.post, "/v1/accounts/\(nothing)/roles", json: #"{"role":"admin"}"#)
            #expect(try response.problem == "not-found", "\(nothing)")
        }
        let unknown = try await admin.send(.post, "/v1/accounts/\(id)/roles", json: #"{"role":"king"}"#)
        #expect(try unknown.faults == ["/role"])
    }

    @Test func `a session is refreshed, and ends with the log-out`() async throws {
        let birder = try await Caller.register(try .required)
        let session = try await birder.send(.post, "/v1/sessions", json: Caller.credentials(birder.email))
        #expect(session.status == .created)
        let token = try #require(try session.text("refreshToken"))
        let refreshed = try await birder.send(.post, "/v1/sessions/refresh", json: #"{"refreshToken":"\#(token)"}"#)
        #expect(refreshed.status == .ok)
        #expect(try refreshed.text("account.id") == birder.account?.description)
        let wrong = try await birder.send(.post, "/v1/sessions/refresh", json: #"{"refreshToken":"none"}"#)
        #expect(try wrong.problem == "wrong-credentials")
        #expect(try await birder.send(.delete, "/v1/sessions/current").status == .noContent)
        #expect(try await birder.send(.get, "/v1/me").problem == "unauthenticated")
    }

    @Test func `an unknown e-mail and a wrong password get the same answer`() async throws {
        let birder = try await Caller.register(try .required)
        for email in [birder.email, "nobody@example.org", "nobody"] {
            let body = #"{"email":"\#(email)","password":"not the password"}"#
            #expect(try await birder.send(.post, "/v1/sessions", json: body).problem == "wrong-credentials")
        }
    }
}

// MARK: - Reference

extension RouteTests {
    @Test func `taxa are found by their names, and shown with their parents`() async throws {
        let anonymous = Caller.anonymous(try .required)
        let found = try await anonymous.send(.get, "/v1/taxa?q=pacific%20wren&kind=bird&limit=1")
        #expect(try found.text("items.0.scientificName") == "Troglodytes pacificus")
        let id = try #require(try found.text("items.0.id"))
        let taxon = try await anonymous.send(.get, "/v1/taxa/\(id)")
        #expect(try taxon.text("ancestors.0.scientificName") == "Aves")
        #expect(taxon.headers[.cacheControl] == "public, max-age=270, must-revalidate")
        for path in ["/v1/taxa/\(UUID())", "/v1/taxa/wren", "/v1/taxa/\(UUID())/map"] {
            #expect(try await anonymous.send(.get, path).problem == "not-found", "\(path)")
        }
        for query in ["", "?q=", "?q=wren&limit=0", "?q=wren&kind=fish", "?q=wren&q=owl"] {
            #expect(try await anonymous.send(.get, "/v1/taxa" + query).problem == "invalid-parameter", "\(query)")
        }
    }

    @Test func `regions and the head of the log are public`() async throws {
        let birder = try await Caller.register(try .required)
        let regions = try await birder.send(.get, "/v1/regions")
        #expect(try regions.text("items.0.states.0.code") != nil)
        let tag = try #require(regions.headers[.eTag])
        #expect(try await birder.send(.get, "/v1/regions", headers: [.ifNoneMatch: tag]).status == .notModified)
        _ = try await birder.submit()
        let log = try await birder.send(.get, "/v1/log")
        #expect(try log.json.members.map(\.name) == ["recordedOn"])
        let list = try await birder.send(.get, "/v1/me/findings", headers: log.position)
        #expect(try list["items"]?.items.count == 1)
    }

    @Test func `the day of the log is the last that is over by the clock, even before the log`() async throws {
        let anyone = Caller.anonymous(try .required)
        func day(at now: String) async throws -> String? {
            try await anyone.read("/v1/log", at: try Instant(now)).text("recordedOn")
        }
        #expect(try await day(at: "2001-03-01T00:09:59Z") == "2001-02-27")
        #expect(try await day(at: "2001-03-01T00:10:00Z") == "2001-02-28")
    }
}
