import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Web

/// A client that fills disks: it signs up as many accounts as it may, and stores with each of them as much as it may.
struct Flooder {
    /// An account of the client with a sighting.
    struct Member {
        let caller: Caller
        let sighting: String
    }

    private let served: ServedRoutes
    private let address: String
    private(set) var members: [Member] = []
    /// Bytes of photos in requests that were accepted.
    private(set) var acceptedBytes = 0

    init(_ served: ServedRoutes, at address: String) {
        (self.served, self.address) = (served, address)
    }

    private var from: HTTPFields { [.forwardedFor: address] }

    /// Signs up until it is rejected.
    mutating func signUp(atMost tries: Int = 20) async throws {
        let anonymous = Caller.anonymous(served)
        for _ in 0..<tries {
            let email = "\(UUID().uuidString.lowercased())@example.org"
            let account = try await anonymous.send(.post, "/v1/accounts", headers: from, json: Caller.signUp(email))
            guard account.status == .created else {
                #expect(account.status == .tooManyRequests && account.headers[.retryAfter] != nil)
                return
            }
            let session = try await anonymous.send(
                .post, "/v1/sessions", headers: from, json: Caller.credentials(email))
            let caller = Caller(served: served, email: email, token: try session.text("accessToken"), account: nil)
            let sighting = try await caller.send(.post, "/v1/sightings", headers: from, json: Caller.sighting())
            members.append(Member(caller: caller, sighting: try #require(try sighting.text("id"))))
        }
    }

    /// The ways to leave bytes on the disk.
    enum Move: CaseIterable {
        case begin, beginWithoutLength, announceMore, beginAndEnd, sendGarbage, sendPhoto, announceOnly
    }

    /// Makes a move with a member.
    /// - Parameter bytes: of what is no photo.
    /// - Returns: whether it was accepted, so that it is worth trying again.
    mutating func make(_ move: Move, by member: Member, bytes count: Int) async throws -> Bool {
        let garbage = ByteBuffer(repeating: 0, count: count)
        let length: HTTPFields = [.uploadLength: "\(count)"]
        switch move {
        case .begin: return try await send(garbage, by: member, unfinished: length).status == .created
        case .beginWithoutLength: return try await send(garbage, by: member, unfinished: [:]).status == .created
        case .announceMore:
            return try await send(garbage, by: member, unfinished: [.uploadLength: "1"]).status == .created
        case .announceOnly: return try await send(ByteBuffer(), by: member, unfinished: length).status == .created
        case .beginAndEnd:
            let begun = try await send(garbage, by: member, unfinished: length)
            guard let upload = begun.headers[.location] else { return false }
            return try await member.caller.send(.delete, upload, headers: from).status == .noContent
        case .sendGarbage: return try await send(garbage, by: member).status == .unsupportedMediaType
        case .sendPhoto: return try await send(TestPhotos.another(), by: member).status == .created
        }
    }

    /// - Parameter fields: of an upload that is not finished; nil for a photo in one request.
    private mutating func send(
        _ bytes: ByteBuffer, by member: Member, unfinished fields: HTTPFields? = nil
    ) async throws -> TestResponse {
        var headers = from
        for field in fields ?? [:] { headers[field.name] = field.value }
        if fields != nil { headers[.uploadComplete] = "?0" }
        headers[.contentLength] = "\(bytes.readableBytes)"
        let answer = try await SampleRequests.addPhoto(to: member.sighting, by: member.caller, bytes, more: headers)
        if answer.status == .created || answer.status == .unsupportedMediaType {
            acceptedBytes += bytes.readableBytes
        }
        return answer
    }

    /// - Returns: how often a request was accepted.
    func accepted(
        of tries: Int, _ member: Member, _ method: HTTPRequest.Method, _ path: String, _ json: (Int) -> String?
    ) async throws -> Int {
        var accepted = 0
        for number in 0..<tries {
            let answer = try await member.caller.send(method, path, headers: from, json: json(number))
            if answer.status.kind == .successful { accepted += 1 }
        }
        return accepted
    }
}
