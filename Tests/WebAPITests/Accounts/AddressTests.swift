import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import Service
import TestSupport
import Testing
import Vault

@testable import WebAPI

/// Addresses as people type and paste them, wherever one comes in.
extension RouteTests {
    private static func someone() -> String { "me-\(UUID().uuidString.lowercased())" }

    /// The address logs in, cannot sign up again, and gets a code for another password.
    private static func expectKnown(_ spelling: String, to anonymous: Caller) async throws {
        let session = try await anonymous.send(.post, "/v1/sessions", json: Caller.credentials(spelling))
        #expect(session.status == .created, "\(spelling)")
        let twin = try await anonymous.send(.post, "/v1/accounts", json: Caller.signUp(spelling))
        #expect(try twin.problem == "email-taken", "\(spelling)")
        let body = #"{"email":"\#(spelling)"}"#
        #expect(try await anonymous.send(.post, "/v1/password-resets", json: body).status == .accepted)
    }

    @Test func `an address is one account in every spelling: to sign up, log in, reset, change and look up`()
        async throws
    {
        let served = try ServedRoutes.required
        let (anonymous, admin) = (Caller.anonymous(served), try await Caller.register(served, role: .admin))
        let (me, key) = (Self.someone(), UUID())
        let signUp = Caller.signUp("\\u00a0\(me)@Müller.example\\u2028\\r\\n")
        let account = try await anonymous.send(.post, "/v1/accounts", key: key, json: signUp)
        #expect(account.status == .created)
        #expect(try account.text("email") == "\(me)@xn--mller-kva.example")
        let again = try await anonymous.send(.post, "/v1/accounts", key: key, json: signUp)
        #expect(try again.text("id") == account.text("id"))

        let spellings = [
            "\(me)@müller.example ", "\(me.uppercased())@xn--mller-kva.EXAMPLE", "\\t\(me)@ｍüｌｌｅｒ．example",
            "\(me)@mu\u{308}ller。example.", "\(me)@müller.example\\u200b",
        ]
        for spelling in spellings {
            try await Self.expectKnown(spelling, to: anonymous)
            let body = #"{"email":"\#(spelling)"}"#
            let found = try await admin.send(.post, "/v1/accounts/lookup", json: body)
            #expect(try found.text("id") == account.text("id"), "\(spelling)")
            let taken = try await admin.send(
                .put, "/v1/me/email", json: #"{"email":"\#(spelling)","password":"\#(Caller.password)"}"#)
            #expect(try taken.problem == "email-taken", "\(spelling)")
        }
        let mails = try await served.mails(to: "\(me)@xn--mller-kva.example")
        #expect(mails.map(\.subject).count { $0 == mails.last?.subject } == spellings.count)
    }

    @Test func `an address that is no one names the rule`() async throws {
        let anonymous = Caller.anonymous(try .required)
        for email in ["a b@example.org", "a@i❤.example", "a@exa／mple.org", "\\u202ea@example.org"] {
            let rejected = try await anonymous.send(.post, "/v1/accounts", json: Caller.signUp(email))
            #expect(try rejected.faults == ["/email"])
            #expect(String(buffer: rejected.body).contains("must be an e-mail address such as name@example.org: "))
        }
    }

    /// The rows are what an account had that signed up before domains were compared in ASCII.
    @Test func `an account whose domain was stored as it was typed is found, and mailed in ASCII`() async throws {
        let served = try ServedRoutes.required
        let anonymous = Caller.anonymous(served)
        let me = Self.someone()
        let account = try await anonymous.send(.post, "/v1/accounts", json: Caller.signUp("\(me)@müller.example"))
        let id = try #require(try account.text("id").flatMap(AccountID.init)).uuid
        let former = Reservation(kind: .email, text: "\(me)@müller.example").digest
        try await served.database.withConnection(served.database.owner) { owner in
            _ = try await owner.query(
                "update vault.reservations set value = \(former) where holder = \(id) and kind = 'email'")
            _ = try await owner.query(
                """
                update vault.content set value = \("\(me)@Müller.example") where stream = \(id) and field = 'email'
                """)
        }
        let spellings = ["\(me)@MÜLLER.example", "\(me)@xn--mller-kva.example"]
        for spelling in spellings {
            try await Self.expectKnown(spelling, to: anonymous)
        }
        let code = try await served.code(to: "\(me)@xn--mller-kva.example")
        let reset = try await anonymous.send(
            .put, "/v1/password-resets", json: #"{"token":"\#(code)","password":"five dippers on a stone"}"#)
        #expect(reset.status == .noContent)
        let credentials = #"{"email":"\#(spellings[1])","password":"five dippers on a stone"}"#
        let session = try await anonymous.send(.post, "/v1/sessions", json: credentials)
        let owner = Caller(
            served: served, email: spellings[1], token: try session.text("accessToken"), account: AccountID(id))
        #expect(try await owner.send(.get, "/v1/me").text("email") == "\(me)@xn--mller-kva.example")
    }
}

/// Text as it is pasted into every field that takes one.
extension RouteTests {
    @Test(arguments: [
        ("first line\\u2028second line", "first line\nsecond line"),
        ("first line\\u000bsecond line", "first line\nsecond line"),
        ("first line\\r\\nsecond\\u0085line", "first line\nsecond\nline"),
        ("seen \\u200e5\\u200e/\\u200e1\\u200e/\\u200e2026", "seen 5/1/2026"),
        ("\\u202aC:\\\\birds\\u2069", "C:\\birds"),
    ])
    func `pasted notes are accepted and kept without what nobody sees`(typed: String, kept: String) async throws {
        let birder = try await Caller.register(try .required)
        let (sighting, key) = (Caller.sighting(more: #","notes":"\#(typed)""#), UUID())
        let finding = try await birder.submit(sighting, key: key)
        #expect(try finding.text("notes") == kept)
        let id = try #require(try finding.text("id"))
        #expect(try await birder.submit(sighting, key: key).text("id") == id)
        let read = try await birder.send(.get, "/v1/me/findings/\(id)")
        #expect(try read.text("notes") == kept)
    }

    @Test func `an override of direction is rejected by name, in notes and names`() async throws {
        let birder = try await Caller.register(try .required)
        for (more, pointer) in [(#","notes":"a\u202e""#, "/notes"), (#","name":"a\u202d""#, "/name")] {
            let body = Caller.sighting(more: more).replacing(
                pointer == "/name" ? #""name":"Pacific Wren","# : "", with: "")
            let rejected = try await birder.send(.post, "/v1/sightings", json: body)
            #expect(try rejected.faults == [pointer])
            #expect(String(buffer: rejected.body).contains("override the direction of text: U+202"))
        }
    }
}
