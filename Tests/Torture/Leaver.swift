import EventLog
import Foundation
import JSON
import NIOCore
import NIOHTTP1
import TestRandom
import TestSupport

/// A client over HTTP that signs up, submits some sightings with a photo, and leaves, again and again.
struct Leaver: Sendable {
    private struct Body: Encodable {
        var password: String
        var sightings: String
    }

    /// A password is hashed, and renditions are made.
    private static let timeout = TimeAmount.seconds(30)
    /// Longest time for which a service may accept the token of an erased account, with all that the faults add.
    private static let grace: Duration = .seconds(30)

    /// The number of its next account.
    private var number: Int
    private var sender: WebSender

    init(accountsFrom number: Int, sender: WebSender) {
        (self.number, self.sender) = (number, sender)
    }

    /// Works until the stop sign; completes every command that has begun.
    mutating func run(until stop: StopSign) async {
        while !stop.isRaised, !Task.isCancelled {
            do {
                try await act()
            } catch {
                if Task.isCancelled { return }
                return sender.recorder.complain("an account could not leave: \(error)")
            }
        }
    }

    private mutating func act() async throws {
        number += 1
        let account = try await SignedInAccount.signUp(number, &sender)
        var sightings: Set<UUID> = []
        for _ in 0..<sender.random.int(in: 1...4) {
            guard let sighting = try await submit(account) else { return }
            sightings.insert(sighting)
        }
        if let sighting = sightings.first { await upload(account, to: sighting) }
        try await leave(account, sightings)
    }

    private mutating func submit(_ account: SignedInAccount) async throws -> UUID? {
        let (key, body) = (sender.random.uuid(), SightingBody.random(&sender.random))
        let command = body.command(key, by: account.id)
        let request = try WebRequest(.POST, "/v1/sightings", token: account.token, key: key).with(body)
        let outcome = await sender.deliver(request, [command]) { [WebSender.Outcome($0, success: 201)] }
        guard case .acknowledged = outcome[0] else { return nil }
        return command.stream
    }

    private mutating func upload(_ account: SignedInAccount, to sighting: UUID) async {
        let (key, host) = (sender.random.uuid(), sighting.uuidString.lowercased())
        let id = CommandID.derive(account: account.id, command: "UploadPhoto", target: sighting, key: key)
        let command = History.Command(
            id: id, stream: CommandID.stream(kind: "photo", of: id), actor: account.id,
            events: [.init(type: "PhotoUploaded", payload: .members(["sighting": .string(host)]))])
        var request = WebRequest(.POST, "/v1/me/findings/\(host)/photos", token: account.token, key: key)
        request.headers.append(("Content-Type", "image/jpeg"))
        request.body = TestPhoto.jpeg + Data(sender.random.uuid().bytes)
        request.timeout = Self.timeout
        _ = await sender.deliver(request, [command]) { [WebSender.Outcome($0, success: 201)] }
    }

    private mutating func leave(_ account: SignedInAccount, _ sightings: Set<UUID>) async throws {
        let (key, choice) = (sender.random.uuid(), sender.random.element(of: ["keep", "withdraw"]))
        let command = History.Command(
            id: CommandID.derive(account: account.id, command: "EraseAccount", target: account.id, key: key),
            stream: account.id, expectedVersion: 1, actor: account.id,
            events: [.init(type: "AccountErased", payload: .members(["sightings": .string(choice)]))])
        var request = try WebRequest(.POST, "/v1/me/erasure", token: account.token, key: key)
            .with(Body(password: SignedInAccount.password(number), sightings: choice))
        request.timeout = Self.timeout
        let outcome = await sender.deliver(request, [command]) { answer in
            switch answer.status {
            case 202: [.acknowledged(position: nil, version: 2)]
            // An earlier sending was carried out.
            case 401: [.moot]
            default: [WebSender.Outcome(answer, success: 202)]
            }
        }
        guard outcome[0].isDefinite else { return }
        sender.recorder.leaves(account.id, sightings: sightings)
        try await expectEnd(of: account)
    }

    private mutating func expectEnd(of account: SignedInAccount) async throws {
        let deadline = ContinuousClock.now + Self.grace
        while let answer = await sender.ask(WebRequest(.GET, "/v1/me/findings", token: account.token)) {
            if answer.status == 401 { return }
            guard ContinuousClock.now < deadline else {
                return sender.recorder.complain("the token of an erased account is answered with \(answer.status)")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
