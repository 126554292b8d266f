import EventLog
import Foundation
import JSON
import NIOCore
import NIOHTTP1
import TestRandom
import TestSupport

/// A client over HTTP that sends photos of its sightings, has a moderator judge them, and deletes some.
struct Photographer: Sendable {
    /// A photo as its owner knows it.
    private struct Photo {
        var stream: UUID
        var version: Int
    }

    /// A sighting takes ten photos; deleted ones make room.
    private static let most = 8
    /// A photo takes longer than other requests: its renditions are made before the response.
    private static let timeout = TimeAmount.seconds(20)

    private let account: SignedInAccount
    private let moderator: SignedInAccount
    private var sender: WebSender
    private var sighting: UUID?
    private var added = 0

    init(account: SignedInAccount, moderator: SignedInAccount, sender: WebSender) {
        self.account = account
        self.moderator = moderator
        self.sender = sender
    }

    /// Works until the stop sign; completes every command that has begun.
    mutating func run(until stop: StopSign) async {
        while !stop.isRaised, !Task.isCancelled {
            do {
                try await act()
            } catch {
                // Only the encoding of bodies throws.
                return sender.recorder.complain("a request could not be made: \(error)")
            }
        }
    }

    private mutating func act() async throws {
        if sighting == nil || added == Self.most { try await submit() }
        guard let sighting, let photo = await upload(to: sighting) else { return }
        added += 1
        await download(photo)
        let judged = sender.random.isTrue(oneIn: 4) ? photo : try await judge(photo)
        if let judged, sender.random.isTrue(oneIn: 3) { await delete(judged) }
    }

    private mutating func submit() async throws {
        let key = sender.random.uuid()
        let body = SightingBody.random(&sender.random)
        let command = body.command(key, by: account.id)
        let request = try WebRequest(.POST, "/v1/sightings", token: account.token, key: key).with(body)
        let outcome = await sender.deliver(request, [command]) { [WebSender.Outcome($0, success: 201)] }
        guard case .acknowledged = outcome[0] else { return }
        (sighting, added) = (command.stream, 0)
    }

    private mutating func upload(to sighting: UUID) async -> Photo? {
        let key = sender.random.uuid()
        let id = CommandID.derive(account: account.id, command: "UploadPhoto", target: sighting, key: key)
        let host = sighting.uuidString.lowercased()
        let command = History.Command(
            id: id, stream: CommandID.stream(kind: "photo", of: id), actor: account.id,
            events: [.init(type: "PhotoUploaded", payload: .members(["sighting": .string(host)]))])
        var request = WebRequest(.POST, "/v1/me/findings/\(host)/photos", token: account.token, key: key)
        request.headers.append(("Content-Type", "image/jpeg"))
        // Bytes of its own after the image's end.
        request.body = TestPhoto.jpeg + Data(sender.random.uuid().bytes)
        request.timeout = Self.timeout
        let outcome = await sender.deliver(request, [command]) { [WebSender.Outcome($0, success: 201)] }
        guard case .acknowledged(_, let version) = outcome[0] else { return nil }
        return Photo(stream: command.stream, version: version)
    }

    /// Checks that an acknowledged photo can be read from whichever service answers.
    private mutating func download(_ photo: Photo) async {
        for file in ["original", "thumb"] where sender.random.isTrue(oneIn: 2) {
            let answer = await sender.ask(WebRequest(.GET, Self.path(photo) + "/" + file, token: account.token))
            guard let answer, answer.status != 200 else { continue }
            sender.recorder.complain("\(file) of acknowledged photo \(photo.stream) is answered with \(answer.status)")
        }
    }

    private mutating func judge(_ photo: Photo) async throws -> Photo? {
        let decision = sender.random.isTrue(oneIn: 3) ? PhotoDecisionBody.rejection : .approval
        let (request, command) = change(
            photo, by: moderator, "JudgePhoto",
            History.Command.Event(
                type: decision.event, payload: .members(["moderator": .string(moderator.id.uuidString.lowercased())])),
            .POST, "/v1/moderation/photos/\(photo.stream.uuidString.lowercased())/decisions")
        let outcome = await sender.deliver(try request.with(decision), [command]) {
            [WebSender.Outcome($0, success: 200)]
        }
        guard case .acknowledged(_, let version) = outcome[0] else { return nil }
        return Photo(stream: photo.stream, version: version)
    }

    private mutating func delete(_ photo: Photo) async {
        let (request, command) = change(
            photo, by: account, "DeletePhoto", History.Command.Event(type: "PhotoDeleted", payload: .members([:])),
            .DELETE, Self.path(photo))
        _ = await sender.deliver(request, [command]) {
            [WebSender.Outcome($0, success: 204, version: photo.version + 1)]
        }
    }

    /// A change of the version of a photo that its owner knows.
    private mutating func change(
        _ photo: Photo, by account: SignedInAccount, _ name: String, _ event: History.Command.Event,
        _ method: HTTPMethod, _ path: String
    ) -> (WebRequest, History.Command) {
        let key = sender.random.uuid()
        let command = History.Command(
            id: CommandID.derive(account: account.id, command: name, target: photo.stream, key: key),
            stream: photo.stream, expectedVersion: photo.version, actor: account.id, events: [event])
        var request = WebRequest(method, path, token: account.token, key: key)
        request.headers.append(("If-Match", "\"\(photo.version).torture\""))
        return (request, command)
    }

    private static func path(_ photo: Photo) -> String {
        "/v1/me/photos/\(photo.stream.uuidString.lowercased())"
    }
}

/// A moderator's decision on a photo.
private struct PhotoDecisionBody: Encodable {
    var decision: String
    var reasons: [String]?

    static let approval = PhotoDecisionBody(decision: "approve")
    static let rejection = PhotoDecisionBody(decision: "reject", reasons: ["unreadable"])

    /// The type of the event that it becomes.
    var event: String { decision == "approve" ? "PhotoApproved" : "PhotoRejected" }
}
