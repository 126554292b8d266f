import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOConcurrencyHelpers
import NIOCore
import Postgres
import TestSupport
import Testing
import Vault

@testable import Service
@testable import Web
@testable import WebAPI

extension Caller {
    /// A script with one of the account's API keys.
    func script(_ scopes: String, more: String = "") async throws -> (caller: Caller, id: String) {
        let body = #"{"name":"a script","scopes":\#(scopes)\#(more)}"#
        let made = try await send(.post, "/v1/me/keys", key: nil, json: body)
        try #require(made.status == .created, "\(String(buffer: made.body))")
        let token = try #require(try made.text("key"))
        return (
            Caller(served: served, email: email, token: token, account: account), try #require(try made.text("id"))
        )
    }
}

extension RouteTests {
    @Test func `a key may send what its scopes say by audience and method, on every route`() async throws {
        let served = try ServedRoutes.required
        let admin = try await Caller.register(served, role: .admin)
        let scripts = [
            (KeyScope.read, try await admin.script(#"["read"]"#).caller),
            (.submit, try await admin.script(#"["submit"]"#).caller),
            (.research, try await admin.script(#"["research"]"#).caller),
        ]
        for route in served.routes where route.problems.contains(.unauthenticated) {
            let path = route.template.replacing("{id}", with: UUID().uuidString).replacing("{rendition}", with: "thumb")
            for (scope, script) in scripts {
                let answer = try await script.send(route.method, path, json: route.inputs.contains(.body) ? "{}" : nil)
                let own = route.scope ?? (route.method == .get ? .read : .submit)
                let needed: [Audience: KeyScope] = [.signedIn: own, .researchers: .research]
                let isAllowed = scope == needed[route.audience]
                let isRejected = try answer.status == .forbidden && answer.problem == "insufficient-scope"
                #expect(isRejected != isAllowed, "\(route.name), \(scope)")
                #expect(answer.status != .unauthorized, "\(route.name), \(scope)")
            }
        }
    }

    @Test func `keys are shown once, listed with their last use, and deleted`() async throws {
        let birder = try await Caller.register(try .required)
        let made = try await birder.send(
            .post, "/v1/me/keys",
            json: #"{"name":"garden camera","scopes":["submit","read"],"expires":"2126-01-01T00:00:00Z"}"#)
        let (text, id) = (try #require(try made.text("key")), try #require(try made.text("id")))
        #expect(text.hasPrefix("skein_") && made.headers[.cacheControl] == "private, no-store")
        let script = Caller(served: birder.served, email: birder.email, token: text, account: birder.account)
        func key() async throws -> JSONValue {
            try #require(try await birder.send(.get, "/v1/me/keys")["items.0"])
        }
        var listed = try await key()
        #expect(listed["key"] == nil && listed["lastUsedAt"] == .null && listed["name"]?.string == "garden camera")
        #expect(listed["scopes"]?.items.compactMap(\.string) == ["read", "submit"])
        #expect(listed["expires"]?.string == "2126-01-01T00:00:00Z")
        #expect(try await script.submit().status == .created)
        #expect(try await script.send(.get, "/v1/me/findings").status == .ok)
        listed = try await key()
        #expect(listed["lastUsedAt"]?.string != nil)
        let stranger = try await Caller.register(birder.served)
        #expect(try await stranger.send(.delete, "/v1/me/keys/\(id)").problem == "not-found")
        #expect(try await script.send(.delete, "/v1/me/keys/\(id)").problem == "insufficient-scope")
        #expect(try await birder.send(.delete, "/v1/me/keys/\(id)").status == .noContent)
        #expect(try await script.send(.get, "/v1/me/findings").problem == "unauthenticated")
        #expect(try await birder.send(.delete, "/v1/me/keys/\(id)").problem == "not-found")
    }

    @Test func `a key that was deleted, expired or not ours is rejected, and so is one that another process deleted`()
        async throws
    {
        let birder = try await Caller.register(try .required)
        let soon = Instant.now.adding(seconds: 3600).text()
        let (script, id) = try await birder.script(#"["read"]"#, more: #","expires":"\#(soon)""#)
        let (database, served) = (birder.served.database, birder.served)
        func process(ahead: Double) -> Callers {
            let keys = served.cases.keys(at: { Date().addingTimeInterval(ahead) })
            return Callers(
                tokens: served.cases.accounts.accessTokens, keys: keys, directory: served.cases.ground.directory,
                now: { .now })
        }
        let token = try #require(script.token)
        #expect(try await process(ahead: 0).verify(token).accountID == birder.account)
        await #expect(throws: AccessTokenRejection.self) { try await process(ahead: 3601).verify(token) }
        let last = token.last == "A" ? "B" : "A"
        for wrong in ["skein_", token + "A", token.dropLast() + last, String(token.dropFirst(6))] {
            await #expect(throws: AccessTokenRejection.self) { try await process(ahead: 0).verify(wrong) }
        }
        // Deleted elsewhere: a process that has it cached asks again after some seconds.
        let ahead = NIOLockedValueBox(0.0)
        let cached = served.cases.keys(at: { Date().addingTimeInterval(ahead.withLockedValue { $0 }) })
        #expect(try await cached.principal(of: token) != nil)
        try await database.withConnection(database.owner) { owner in
            _ = try await owner.query("DELETE FROM vault.api_keys WHERE id = \(try #require(UUID(uuidString: id)))")
        }
        #expect(try await cached.principal(of: token) != nil)
        ahead.withLockedValue { $0 = 5 }
        #expect(try await cached.principal(of: token) == nil)
    }

    @Test func `keys need a name, scopes and a time to come; a role for research; and there are twenty at most`()
        async throws
    {
        let birder = try await Caller.register(try .required)
        let wrong = try await birder.send(
            .post, "/v1/me/keys", json: #"{"name":"","scopes":["read","all"],"expires":"2026-01-01T00:00:00Z"}"#)
        #expect(try wrong.faults == ["/name", "/scopes/1", "/expires"])
        let none = try await birder.send(.post, "/v1/me/keys", json: #"{"name":"a","scopes":[]}"#)
        #expect(try none.faults == ["/scopes"])
        let research = try await birder.send(.post, "/v1/me/keys", json: #"{"name":"a","scopes":["research"]}"#)
        #expect(try research.problem == "forbidden")
        for _ in 0..<20 { _ = try await birder.script(#"["read"]"#) }
        let many = try await birder.send(.post, "/v1/me/keys", json: #"{"name":"a","scopes":["read"]}"#)
        #expect(try many.problem == "too-many-keys")
    }
}

/// Quotas of requests with API keys.
@Suite(.hangs) struct KeyQuotaTests {
    @Test func `requests with a key count for the key and for its account`() async throws {
        try await ServedRoutes.run { served in
            let birder = try await Caller.register(served)
            let scripts = [try await birder.script(#"["read"]"#).caller, try await birder.script(#"["read"]"#).caller]
            var fixture = APIFixture()
            fixture.verifier = served.cases.accounts.callers
            fixture.settings.accountLimits = AccountLimits(
                items: 3, bytes: 0, keyItems: 1, dailyWrites: 0, newcomerWrites: 0)
            let routes = KeyRoutes(keys: served.cases.accounts.keys)
            try await fixture.test([TrialRoutes(), routes]) { client in
                var statuses: [Int] = []
                // One more is back after twenty seconds, which five requests do not take even on a slow machine.
                for caller in [scripts[0], scripts[0], scripts[1], birder, birder] {
                    let headers: HTTPFields = [.authorization: "Bearer \(caller.token ?? "")"]
                    let answer = try await client.execute(uri: "/v1/me/trial/7", method: .get, headers: headers)
                    statuses.append(answer.status.code)
                }
                #expect(statuses == [200, 429, 200, 200, 429])
            }
        }
    }
}

extension UseCases {
    /// The keys as another process checks them.
    fileprivate func keys(at now: @escaping @Sendable () -> Date) -> AccountKeys {
        AccountKeys(
            keys: ApiKeys(database: ground.pool),
            accounts: StoredAccounts(store: ground.store, passwords: PasswordRecords(database: ground.pool)),
            now: now)
    }
}
