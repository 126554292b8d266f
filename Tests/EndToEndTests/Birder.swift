import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// A signed-in account.
struct Birder: Sendable {
    static let password = "seven wrens in a hedge"

    let service: ServedSkein
    let email: String
    let token: String
    let refreshToken: String

    /// Registers and logs in.
    static func register(_ service: ServedSkein, more: String = "") async throws -> Birder {
        let email = "\(UUID().uuidString.lowercased())@example.org"
        let answer = try await service.send(
            .POST, "/v1/accounts", headers: ["Idempotency-Key": UUID().uuidString], json: signUp(email, more: more))
        try #require(answer.status == 201, "\(String(decoding: answer.body, as: UTF8.self))")
        return try await logIn(service, email)
    }

    /// Registers, receives a role from the operator, and logs in.
    static func register(_ service: ServedSkein, role: String) async throws -> Birder {
        let birder = try await register(service)
        _ = try await service.command(["role", "add", birder.email, role])
        return try await logIn(service, birder.email)
    }

    private static func logIn(_ service: ServedSkein, _ email: String) async throws -> Birder {
        let session = try await service.send(
            .POST, "/v1/sessions", json: #"{"email":"\#(email)","password":"\#(password)"}"#)
        try #require(session.status == 201)
        return Birder(
            service: service, email: email, token: try #require(session.text("accessToken")),
            refreshToken: try #require(session.text("refreshToken")))
    }

    static func signUp(_ email: String, more: String = "") -> String {
        #"{"email":"\#(email)","password":"\#(password)","name":"Ada Wren","oldEnough":true\#(more)}"#
    }

    /// The same account at another process, or at the same one as it is used otherwise.
    func at(_ service: ServedSkein) -> Birder {
        Birder(service: service, email: email, token: token, refreshToken: refreshToken)
    }

    /// Sends a request in this birder's name, with a fresh key unless another is given.
    func send(
        _ method: HTTPMethod, _ path: String, key: UUID? = UUID(), headers: [String: String] = [:], json: String? = nil
    ) async throws -> Answer {
        var headers = headers
        if method != .GET, let key { headers["Idempotency-Key"] = key.uuidString }
        return try await service.send(method, path, token: token, headers: headers, json: json)
    }

    /// Submits a sighting.
    func submit(_ sighting: String = sighting(), key: UUID = UUID()) async throws -> Answer {
        try await send(.POST, "/v1/sightings", key: key, json: sighting)
    }

    /// Adds a photo to a sighting of this birder, or begins to.
    func addPhoto(
        to sighting: String, _ bytes: [UInt8] = Array(TestPhoto.jpeg), headers more: [String: String] = [:]
    ) async throws -> Answer {
        let headers = ["Idempotency-Key": UUID().uuidString, "Content-Type": "image/jpeg"].merging(more) { $1 }
        return try await service.send(
            .POST, "/v1/me/findings/\(sighting)/photos", token: token, headers: headers, body: bytes)
    }

    /// A sighting that breaks no rule.
    static func sighting(
        name: String = "Pacific Wren", latitude: Double = 47.6577, longitude: Double = -122.4056, more: String = ""
    ) -> String {
        #"{"name":"\#(name)","count":2,"confidence":8,"observedAt":"2026-05-01T07:30:00-07:00","#
            + #""latitude":\#(latitude),"longitude":\#(longitude)\#(more)}"#
    }
}
