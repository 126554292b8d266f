import EventLog
import Foundation
import JSON
import NIOCore
import NIOHTTP1
import TestRandom
import TestSupport

/// An account of this round, with a session.
struct SignedInAccount: Sendable {
    let id: UUID
    let token: String

    /// Hashing a password takes seconds in a debug build.
    private static let timeout: TimeAmount = .seconds(30)

    private struct SignUp: Encodable {
        var email: String
        var password: String
        var name = "Torture"
        var oldEnough = true
    }

    private struct Credentials: Encodable {
        var email: String
        var password: String
    }

    private struct Session: Decodable {
        struct Account: Decodable {
            var id: UUID
        }

        var accessToken: String
        var account: Account
    }

    /// Registers and logs in.
    /// - Parameter registered: called in between, with the e-mail address.
    /// - Throws: ``SignUpFailure``; what `registered` throws.
    static func signUp(
        _ number: Int, _ sender: inout WebSender, _ registered: (String) async throws -> Void = { _ in }
    ) async throws -> SignedInAccount {
        let (email, password) = ("birder\(number)@example.org", password(number))
        let key = sender.random.uuid()
        let command = CommandID.derive(account: UUID(bytes: []), command: "RegisterAccount", key: key)
        let tracked = History.Command(
            id: command, stream: CommandID.stream(kind: "account", of: command), actor: nil,
            events: [.init(type: "AccountRegistered", payload: .members(["oldEnough": .boolean(true)]))])
        var request = try WebRequest(.POST, "/v1/accounts", key: key).with(SignUp(email: email, password: password))
        request.timeout = timeout
        let outcome = await sender.deliver(request, [tracked]) { [WebSender.Outcome($0, success: 201)] }
        guard case .acknowledged = outcome[0] else { throw SignUpFailure(step: "signing up", answer: "\(outcome[0])") }
        try await registered(email)
        let account = try await logIn(Credentials(email: email, password: password), &sender)
        if account.id != tracked.stream {
            sender.recorder.complain("account \(account.id) should be \(tracked.stream)")
        }
        return account
    }

    /// The password of an account.
    static func password(_ number: Int) -> String { "a wren in the hedge \(number)" }

    private static func logIn(_ credentials: Credentials, _ sender: inout WebSender) async throws -> SignedInAccount {
        var login = try WebRequest(.POST, "/v1/sessions").with(credentials)
        login.timeout = timeout
        let answer = await sender.ask(login)
        guard let answer, answer.status == 201 else {
            throw SignUpFailure(
                step: "logging in",
                answer: answer.map { "\($0.status) \(String(decoding: $0.body, as: UTF8.self))" } ?? "none")
        }
        let session = try JSONDecoder().decode(Session.self, from: answer.body)
        return SignedInAccount(id: session.account.id, token: session.accessToken)
    }
}

/// A birder who could not begin.
struct SignUpFailure: Error {
    let step: String
    let answer: String
}
