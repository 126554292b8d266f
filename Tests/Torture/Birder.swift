import EventLog
import Foundation
import JSON
import NIOHTTP1
import TestRandom
import TestSupport

/// A client over HTTP: submits, corrects, withdraws and reads, one after the other.
struct Birder: Sendable {
    private struct Own {
        var stream: UUID
        var version: Int
        var position: Int64
    }

    private let account: SignedInAccount
    private let board: Board
    private var sender: WebSender

    init(account: SignedInAccount, sender: WebSender, board: Board) {
        self.account = account
        self.sender = sender
        self.board = board
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
            try? await Task.sleep(for: .milliseconds(sender.random.int(in: 0...15)))
        }
    }

    private mutating func act() async throws {
        switch sender.random.int(in: 1...20) {
        case 1...2: try await submitBatch()
        case 3...8: try await correct()
        default:
            guard let own = try await submit() else { return }
            if sender.random.isTrue(oneIn: 4) {
                board.add(Board.Entry(stream: own.stream, account: account.id, version: own.version), &sender.random)
            } else if sender.random.isTrue(oneIn: 6) {
                await withdraw(own)
            } else if sender.random.isTrue(oneIn: 4) {
                await read(own)
            }
        }
    }

    /// A random key, or one that begins with the time (UUIDv7).
    private mutating func newKey() -> UUID {
        var bytes = sender.random.uuid().bytes
        guard sender.random.isTrue(oneIn: 2) else { return UUID(bytes: bytes) }
        let milliseconds = UInt64(Date().timeIntervalSince1970 * 1_000)
        withUnsafeBytes(of: (milliseconds << 16).bigEndian) { bytes.replaceSubrange(0..<6, with: $0.prefix(6)) }
        bytes[6] = bytes[6] & 0x0f | 0x70
        return UUID(bytes: bytes)
    }

    private mutating func submit() async throws -> Own? {
        let key = newKey()
        let body = SightingBody.random(&sender.random)
        let command = body.command(key, by: account.id)
        let request = try WebRequest(.POST, "/v1/sightings", token: account.token, key: key).with(body)
        let outcome = await sender.deliver(request, [command]) { [WebSender.Outcome($0, success: 201)] }
        guard case .acknowledged(let position?, let version) = outcome[0] else { return nil }
        return Own(stream: command.stream, version: version, position: position)
    }

    private mutating func submitBatch() async throws {
        var items: [BatchItem] = []
        for _ in 0..<sender.random.int(in: 2...10) {
            items.append(BatchItem(key: newKey(), sighting: SightingBody.random(&sender.random)))
        }
        let request = try WebRequest(.POST, "/v1/sightings/batch", token: account.token).with(BatchBody(items: items))
        _ = await sender.deliver(request, items.map { $0.sighting.command($0.key, by: account.id) }) { answer in
            guard answer.status == 200, let batch = try? JSONDecoder().decode(BatchAnswer.self, from: answer.body)
            else { return items.map { _ in WebSender.Outcome(answer, success: 200) } }
            return batch.items.map(Self.outcome)
        }
    }

    private static func outcome(_ item: BatchAnswer.Item) -> WebSender.Outcome {
        if item.status == 201, let sighting = item.sighting {
            return .acknowledged(position: nil, version: sighting.version)
        }
        return item.status >= 500 ? .unknown : .wrong("an item's status is \(item.status)")
    }

    /// Changes a sighting that others change too, expecting the version that the board has.
    private mutating func correct() async throws {
        guard let entry = board.pick(of: account.id, &sender.random) else { return }
        let key = newKey()
        let body = CorrectionBody.of(entry, key, &sender.random)
        let command = History.Command(
            id: CommandID.derive(account: account.id, command: "CorrectSighting", target: entry.stream, key: key),
            stream: entry.stream, expectedVersion: entry.version, actor: account.id, events: [body.event])
        var request = try WebRequest(.PATCH, Self.path(entry.stream), token: account.token, key: key)
            .with(body, type: "application/merge-patch+json")
        request.headers.append(("If-Match", "\"\(entry.version).torture\""))
        let outcome = await sender.deliver(request, [command]) { [WebSender.Outcome($0, success: 200)] }
        if case .acknowledged(_, let version) = outcome[0] {
            board.learned(entry.stream, version: version)
        } else if outcome[0] == .conflict {
            let answer = await sender.ask(WebRequest(.GET, Self.path(entry.stream), token: account.token))
            if let version = answer?.version { board.learned(entry.stream, version: version) }
        }
    }

    private mutating func withdraw(_ own: Own) async {
        let key = newKey()
        let command = History.Command(
            id: CommandID.derive(account: account.id, command: "WithdrawSighting", target: own.stream, key: key),
            stream: own.stream, expectedVersion: own.version, actor: account.id,
            events: [.init(type: "SightingWithdrawn", payload: .members(["reason": .string("mistake")]))])
        var request = WebRequest(.DELETE, Self.path(own.stream), token: account.token, key: key)
        request.headers.append(("If-Match", "\"\(own.version).torture\""))
        _ = await sender.deliver(request, [command]) {
            [WebSender.Outcome($0, success: 204, version: own.version + 1)]
        }
    }

    /// Checks that an acknowledged version is visible on whichever service answers, and that its log has come as far.
    private mutating func read(_ own: Own) async {
        if let answer = await sender.ask(WebRequest(.GET, Self.path(own.stream), token: account.token)),
            answer.status != 200 || answer.version ?? 0 < own.version
        {
            sender.recorder.complain("acknowledged sighting \(own.stream) is answered with \(answer.status)")
        }
        if let answer = await sender.ask(WebRequest(.GET, "/v1/log")), answer.position ?? 0 < own.position {
            sender.recorder.complain("the log is at \(answer.position ?? 0), but \(own.position) was acknowledged")
        }
    }

    private static func path(_ stream: UUID) -> String {
        "/v1/me/findings/\(stream.uuidString.lowercased())"
    }
}
