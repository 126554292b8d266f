import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Postgres
import Service
import TestSupport
import Testing

@testable import Web

private let newPassword = "nine owls in a barn"

extension Caller {
    /// Logs in with a password.
    func logIn(_ password: String = Caller.password, email: String? = nil, device: String? = nil) async throws
        -> TestResponse
    {
        let body = #"{"email":"\#(email ?? self.email)","password":"\#(password)"}"#
        return try await Caller.anonymous(served).send(
            .post, "/v1/sessions", headers: device.map { [.userAgent: $0] } ?? [:], json: body)
    }

    /// The same account in another session.
    func another(_ device: String? = nil) async throws -> Caller {
        let token = try #require(try await logIn(device: device).text("accessToken"))
        return Caller(served: served, email: email, token: token, account: account)
    }

    /// Whether its session is accepted.
    var isSignedIn: Bool {
        get async throws { try await send(.get, "/v1/me").status == .ok }
    }
}

extension RouteTests {
    @Test func `a forgotten password is replaced with a mailed code, once, and all sessions end`() async throws {
        let birder = try await Caller.register(try .required)
        let (other, anonymous) = (try await birder.another(), Caller.anonymous(birder.served))
        _ = try await birder.served.mails(to: birder.email)
        let scripted = try await birder.send(.post, "/v1/me/keys", json: #"{"name":"a script","scopes":["read"]}"#)
        #expect(scripted.status == .created)
        let asked = try await anonymous.send(
            .post, "/v1/password-resets", key: nil, json: #"{"email":"\#(birder.email.uppercased())"}"#)
        #expect(asked.status == .accepted && asked.body.readableBytes == 0)
        #expect(try await birder.served.mails(to: birder.email.uppercased()).isEmpty, "the account's address, not this")
        let code = try #require(try await birder.served.mails(to: birder.email).last?.code)
        let weak = try await anonymous.send(
            .put, "/v1/password-resets", json: #"{"token":"\#(code)","password":"password123"}"#)
        #expect(try weak.faults == ["/password"])
        let (body, key) = (#"{"token":"\#(code)","password":"\#(newPassword)"}"#, UUID())
        for _ in 0..<2 {
            let reset = try await anonymous.send(.put, "/v1/password-resets", key: key, json: body)
            #expect(reset.status == .noContent)
        }
        let changed = try await anonymous.send(
            .put, "/v1/password-resets", key: key, json: body.replacing(newPassword, with: "ten owls in a barn"))
        #expect(try changed.problem == "idempotency-key-reused")
        #expect(try await anonymous.send(.put, "/v1/password-resets", json: body).problem == "invalid-code")
        let (first, second) = (try await birder.isSignedIn, try await other.isSignedIn)
        #expect(!first && !second)
        #expect(try await birder.logIn().problem == "wrong-credentials")
        let session = try await birder.logIn(newPassword)
        let owner = Caller(
            served: birder.served, email: birder.email, token: try session.text("accessToken"), account: birder.account)
        #expect(try await owner.send(.get, "/v1/me/keys")["items"]?.items.isEmpty == true)
        let news = try await birder.served.mails(to: birder.email).filter { $0.subject == "Your password was changed" }
        #expect(news.count == 1 && news.first?.code == nil)
    }

    @Test func `an address without an account gets the same answer, and no mail`() async throws {
        let anonymous = Caller.anonymous(try .required)
        let email = "\(UUID())@example.org"
        let answer = try await anonymous.send(.post, "/v1/password-resets", json: #"{"email":"\#(email)"}"#)
        #expect(answer.status == .accepted && answer.body.readableBytes == 0)
        #expect(try await anonymous.served.mails(to: email).isEmpty)
        let invalid = try await anonymous.send(.post, "/v1/password-resets", json: #"{"email":"nobody"}"#)
        #expect(try invalid.faults == ["/email"])
    }

    @Test func `a reset's code expires after half an hour, and verifies no address`() async throws {
        let birder = try await Caller.register(try .required)
        _ = try await birder.served.mails(to: birder.email)
        _ = try await birder.send(.post, "/v1/password-resets", json: #"{"email":"\#(birder.email)"}"#)
        let code = try await birder.served.code(to: birder.email)
        let misused = try await birder.send(.put, "/v1/email-verifications", json: #"{"token":"\#(code)"}"#)
        #expect(try misused.problem == "invalid-code")
        try await birder.served.pass(minutes: 31, for: birder)
        let late = try await birder.send(
            .put, "/v1/password-resets", json: #"{"token":"\#(code)","password":"\#(newPassword)"}"#)
        #expect(try late.problem == "invalid-code")
        #expect(try await birder.logIn().status == .created)
    }

    @Test func `a password is changed by its owner: other sessions end, this one goes on`() async throws {
        let birder = try await Caller.register(try .required)
        let other = try await birder.another()
        let wrong = try await birder.send(
            .put, "/v1/me/password", json: #"{"oldPassword":"another one","newPassword":"\#(newPassword)"}"#)
        #expect(try wrong.problem == "wrong-password")
        let weak = try await birder.send(
            .put, "/v1/me/password", json: #"{"oldPassword":"\#(Caller.password)","newPassword":"short"}"#)
        #expect(try weak.faults == ["/newPassword"])
        let before = try await other.isSignedIn
        #expect(before)
        let (body, key) = (#"{"oldPassword":"\#(Caller.password)","newPassword":"\#(newPassword)"}"#, UUID())
        for _ in 0..<2 {
            #expect(try await birder.send(.put, "/v1/me/password", key: key, json: body).status == .noContent)
        }
        let reused = body.replacing(newPassword, with: "ten owls in a barn")
        let another = try await birder.send(.put, "/v1/me/password", key: key, json: reused)
        #expect(try another.problem == "idempotency-key-reused")
        let (first, second) = (try await birder.isSignedIn, try await other.isSignedIn)
        #expect(first && !second)
        #expect(try await birder.logIn().problem == "wrong-credentials")
        #expect(try await birder.logIn(newPassword).status == .created)
        let news = try await birder.served.mails(to: birder.email).filter { $0.subject == "Your password was changed" }
        #expect(news.count == 1)
        // The former record is gone: it could be guessed, and people use passwords elsewhere, too.
        let database = birder.served.database
        let account = try #require(birder.account).uuid
        let records = try await database.withConnection(database.owner) { owner in
            try await owner.query("SELECT FROM vault.content WHERE stream = \(account) AND field = 'password'").count
        }
        #expect(records == 1)
    }

    @Test func `another address is the account's when its code is used, and the former is told and free`()
        async throws
    {
        let birder = try await Caller.register(try .required)
        let (first, new) = (try await birder.served.code(to: birder.email), "\(UUID())@example.org".lowercased())
        let taken = try await Caller.register(birder.served)
        func ask(_ email: String, _ password: String = Caller.password) async throws -> TestResponse {
            try await birder.send(
                .put, "/v1/me/email", key: nil, json: #"{"email":"\#(email)","password":"\#(password)"}"#)
        }
        #expect(try await ask(new, "another one").problem == "wrong-password")
        #expect(try await ask(taken.email).problem == "email-taken")
        #expect(try await ask("nobody").faults == ["/email"])
        #expect(try await ask(new).status == .accepted)
        #expect(try await birder.send(.get, "/v1/me").text("email") == birder.email)
        let code = try await birder.served.code(to: new)
        let (body, key) = (#"{"token":"\#(code)"}"#, UUID())
        for _ in 0..<2 {
            let changed = try await taken.send(.put, "/v1/email-verifications", key: key, json: body)
            #expect(changed.status == .noContent)
        }
        let account = try await birder.send(.get, "/v1/me")
        #expect(try account.text("email") == new)
        #expect(try account["emailVerified"] == .boolean(true))
        let told = try await birder.served.mails(to: birder.email).filter {
            $0.subject == "Your e-mail address was changed"
        }
        #expect(told.count == 1 && told.first?.text.contains(new) == false)
        #expect(try await birder.logIn().problem == "wrong-credentials")
        #expect(try await birder.logIn(email: new).status == .created)
        // The former address is free, and what was sent to it is good for nothing.
        let late = try await birder.send(.put, "/v1/email-verifications", json: #"{"token":"\#(first)"}"#)
        #expect(try late.problem == "invalid-code")
        let heir = try await birder.send(.post, "/v1/accounts", json: Caller.signUp(birder.email))
        #expect(heir.status == .created)
    }

    @Test func `an address that was taken meanwhile is not given away, and a later request voids an earlier one`()
        async throws
    {
        let birder = try await Caller.register(try .required)
        var codes: [String] = []
        let emails = (0..<2).map { _ in "\(UUID())@example.org".lowercased() }
        for email in emails {
            _ = try await birder.send(
                .put, "/v1/me/email", json: #"{"email":"\#(email)","password":"\#(Caller.password)"}"#)
            codes.append(try await birder.served.code(to: email))
        }
        let earlier = try await birder.send(.put, "/v1/email-verifications", json: #"{"token":"\#(codes[0])"}"#)
        #expect(try earlier.problem == "invalid-code")
        _ = try await birder.send(.post, "/v1/accounts", json: Caller.signUp(emails[1]))
        let later = try await birder.send(.put, "/v1/email-verifications", json: #"{"token":"\#(codes[1])"}"#)
        #expect(try later.problem == "email-taken")
        #expect(try await birder.send(.get, "/v1/me").text("email") == birder.email)
    }

    @Test func `a code that was sent to a former address resets no password`() async throws {
        let birder = try await Caller.register(try .required)
        let new = "\(UUID())@example.org".lowercased()
        _ = try await birder.send(.post, "/v1/password-resets", json: #"{"email":"\#(birder.email)"}"#)
        let reset = try await birder.served.code(to: birder.email)
        _ = try await birder.send(.put, "/v1/me/email", json: #"{"email":"\#(new)","password":"\#(Caller.password)"}"#)
        let code = try await birder.served.code(to: new)
        _ = try await birder.send(.put, "/v1/email-verifications", json: #"{"token":"\#(code)"}"#)
        let answer = try await birder.send(
            .put, "/v1/password-resets", json: #"{"token":"\#(reset)","password":"\#(newPassword)"}"#)
        #expect(try answer.problem == "invalid-code")
    }

    @Test func `of two who use a code at once, one sets the password`() async throws {
        let birder = try await Caller.register(try .required)
        _ = try await birder.served.mails(to: birder.email)
        _ = try await birder.send(.post, "/v1/password-resets", json: #"{"email":"\#(birder.email)"}"#)
        let code = try await birder.served.code(to: birder.email)
        let passwords = ["nine owls in a barn", "eight owls in a barn"]
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for password in passwords {
                group.addTask {
                    try await birder.send(
                        .put, "/v1/password-resets", json: #"{"token":"\#(code)","password":"\#(password)"}"#
                    ).status.code
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted()
        }
        #expect(statuses == [204, 422])
    }

    @Test func `sessions are listed with their devices, and ended one by one`() async throws {
        let birder = try await Caller.register(try .required)
        let phone = try await birder.another("Skein/1.0 (phone)")
        let stranger = try await Caller.register(birder.served)
        let list = try await birder.send(.get, "/v1/me/sessions")
        let items = try #require(try list["items"]?.items)
        #expect(items.count == 2 && items.count { $0["current"] == .boolean(true) } == 1)
        let other = try #require(items.first { $0["current"] == .boolean(false) })
        #expect(other["device"]?.string == "Skein/1.0 (phone)")
        let id = try #require(other["id"]?.string)
        #expect(try await stranger.send(.delete, "/v1/me/sessions/\(id)").problem == "not-found")
        #expect(try await birder.send(.delete, "/v1/me/sessions/\(id)").status == .noContent)
        #expect(try await birder.send(.delete, "/v1/me/sessions/\(id)").problem == "not-found")
        #expect(try await birder.send(.delete, "/v1/me/sessions/nothing").problem == "not-found")
        let (first, second) = (try await birder.isSignedIn, try await phone.isSignedIn)
        #expect(first && !second)
        #expect(try await birder.send(.get, "/v1/me/sessions")["items"]?.items.count == 1)
    }
}

extension ServedRoutes {
    /// Makes the codes of an account older.
    func pass(minutes: Int, for caller: Caller) async throws {
        let account = try #require(caller.account).uuid
        try await database.withConnection(database.owner) { owner in
            _ = try await owner.query(
                """
                UPDATE vault.mail_codes SET expires_at = expires_at - make_interval(mins => \(minutes)::integer)
                 WHERE account = \(account)
                """)
        }
    }
}

/// Wrong passwords of signed-in callers.
@Suite(.hangs) struct ConfirmationTests {
    @Test func `wrong passwords that confirm requests have a quota for each account; right ones do not count`()
        async throws
    {
        var quotas = UseCaseLimits.none
        quotas.confirmations = RateLimitPolicy(name: "guesses", quota: 2, window: .seconds(900))
        try await ServedRoutes.run(quotas: quotas) { served in
            let (birder, other) = (try await Caller.register(served), try await Caller.register(served))
            var statuses: [Int] = []
            // The requests that a password confirms share one quota.
            for (caller, path, password) in [
                (birder, "email", Caller.password), (birder, "email", "a"), (birder, "password", "b"),
                (birder, "erasure", Caller.password), (birder, "email", Caller.password), (other, "erasure", "a"),
            ] {
                statuses.append(try await Self.confirm(path, with: password, by: caller))
            }
            #expect(statuses == [202, 403, 403, 429, 429, 403])
        }
    }

    /// Sends a request that a password confirms.
    private static func confirm(_ path: String, with password: String, by caller: Caller) async throws -> Int {
        let (method, json): (HTTPRequest.Method, String) =
            switch path {
            case "email": (.put, #"{"email":"\#(UUID())@example.org","password":"\#(password)"}"#)
            case "password": (.put, #"{"oldPassword":"\#(password)","newPassword":"three geese fly south"}"#)
            default: (.post, #"{"password":"\#(password)","sightings":"keep"}"#)
            }
        return try await caller.send(method, "/v1/me/\(path)", json: json).status.code
    }
}
