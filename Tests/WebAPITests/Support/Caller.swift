import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Service
import TestSupport
import Testing

@testable import Web

/// A client that sends requests, signed in or not.
struct Caller: Sendable {
    static let password = "seven wrens in a hedge"

    let served: ServedRoutes
    let email: String
    let token: String?
    let account: AccountID?

    static func anonymous(_ served: ServedRoutes) -> Caller {
        Caller(served: served, email: "", token: nil, account: nil)
    }

    /// Signs up, receives a role from the operator, and logs in.
    static func register(_ served: ServedRoutes, role: Role? = nil) async throws -> Caller {
        let email = "\(UUID().uuidString.lowercased())@example.org"
        let anonymous = anonymous(served)
        let account = try await anonymous.send(.post, "/v1/accounts", json: signUp(email))
        try #require(account.status == .created, "\(String(buffer: account.body))")
        let id = try #require(try account.text("id").flatMap(AccountID.init))
        if let role { _ = try await served.cases.accounts.service.grant(role, to: id, by: nil, key: UUID()) }
        let session = try await anonymous.send(.post, "/v1/sessions", json: credentials(email))
        let token = try #require(try session.text("accessToken"))
        return Caller(served: served, email: email, token: token, account: id)
    }

    /// The same account at another process, or after a restart.
    func at(_ served: ServedRoutes) -> Caller {
        Caller(served: served, email: email, token: token, account: account)
    }

    /// Uses the code of the mail at sign-up.
    func verifyAddress() async throws {
        let code = try await served.code(to: email)
        let verified = try await send(.put, "/v1/email-verifications", json: #"{"token":"\#(code)"}"#)
        try #require(verified.status == .noContent)
    }

    static func signUp(_ email: String) -> String {
        #"{"email":"\#(email)","password":"\#(password)","name":"Ada Wren","oldEnough":true}"#
    }

    static func credentials(_ email: String) -> String {
        #"{"email":"\#(email)","password":"\#(password)"}"#
    }

    /// A sighting that breaks no rule.
    static func sighting(_ name: String = "Pacific Wren", more: String = "") -> String {
        #"{"name":"\#(name)","count":2,"confidence":8,"observedAt":"2026-05-01T07:30:00-07:00","#
            + #""latitude":47.6577,"longitude":-122.4056\#(more)}"#
    }

    /// The same on another day than those of other tests.
    static func sighting(on day: String) -> String { sighting().replacing("2026-05-01", with: day) }

    /// Sends a request, with a fresh key if it may change something and no other is given; again while a read model is
    /// behind, as clients do, for no test here measures how long folding takes.
    func send(
        _ method: HTTPRequest.Method, _ path: String, key: UUID? = UUID(), headers: HTTPFields = [:],
        json: String? = nil
    ) async throws -> TestResponse {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(token)" }
        if method != .get, let key { headers[.idempotencyKey] = key.uuidString }
        if json != nil { headers[.contentType] = "application/json" }
        let body = json.map { ByteBuffer(string: $0) }
        var response: TestResponse?
        try await until("a read model stays behind") {
            response = try await ending(path) { [headers] in
                try await served.client.execute(uri: path, method: method, headers: headers, body: body)
            }
            return response?.status != .serviceUnavailable || (try? response?.problem) != "model-behind"
        }
        return try #require(response)
    }

    /// A stream of events does not end by itself: here, it ends when it has begun.
    private func ending(
        _ path: String, _ send: @escaping @Sendable () async throws -> TestResponse
    ) async throws -> TestResponse {
        guard let account, path.hasPrefix("/v1/me/events") else { return try await send() }
        return try await withThrowingTaskGroup(of: TestResponse?.self) { group in
            group.addTask { try await send() }
            group.addTask {
                while !Task.isCancelled {
                    served.cases.notifications.streams.end(of: account)
                    try? await Task.sleep(for: .milliseconds(5))
                }
                return nil
            }
            defer { group.cancelAll() }
            return try #require(try await group.next() ?? nil)
        }
    }

    /// Reads while the clock of `asOf` and of sealed positions is ahead.
    func read(_ path: String, daysAhead: Int, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await read(path, at: .now.adding(seconds: daysAhead * 86_400), headers: headers)
    }

    /// Reads at a moment of the clock of `asOf` and of sealed positions.
    func read(_ path: String, at now: Instant, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await ServedRoutes.$now.withValue(now) { try await send(.get, path, headers: headers) }
    }

    func submit(_ sighting: String = sighting(), key: UUID = UUID()) async throws -> TestResponse {
        let response = try await send(.post, "/v1/sightings", key: key, json: sighting)
        try #require(response.status == .created, "\(String(buffer: response.body))")
        return response
    }
}

extension TestResponse {
    /// The text at a path such as `items.0.taxon.id`; nil for anything else.
    func text(_ path: String) throws -> String? { try self[path]?.string }

    /// The value at a path such as `items.0.taxon.id`.
    subscript(path: String) -> JSONValue? {
        get throws {
            path.split(separator: ".").reduce(try json as JSONValue?) { node, part in
                Int(part).map { node?[$0] } ?? node?[String(part)]
            }
        }
    }

    /// `Log-Position`, to be sent with a read.
    var position: HTTPFields {
        get throws { [.logPosition: try #require(headers[.logPosition])] }
    }

    /// The JSON pointers of the faults.
    var faults: Set<String> {
        get throws { Set(try json["errors"]?.items.compactMap { $0["pointer"]?.string } ?? []) }
    }
}
