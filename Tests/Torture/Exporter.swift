import Crypto
import EventLog
import Foundation
import JSON
import NIOCore
import NIOHTTP1
import TestRandom
import TestSupport

/// A client over HTTP that has records approved, asks for exports and downloads them. An export that is ready has its
/// bytes, and these have the hash that it says, whichever service answers.
struct Exporter: Sendable {
    /// Longest time until an export is made: another service takes it over two minutes after a kill, and a read model
    /// may be behind.
    private static let patience: Duration = .seconds(240)
    /// A file takes longer than other answers.
    private static let timeout = TimeAmount.seconds(20)
    /// Those that are one text.
    private static let formats = ["csv", "tsv", "geojson", "geojsonseq", "ranges"]

    /// The body of a request. A table of ranges names its taxa.
    private struct Body: Encodable {
        let format: String
        let filter: [String: String]?

        init(_ format: String) {
            (self.format, filter) = (format, format == "ranges" ? ["kind": "bird"] : nil)
        }
    }

    private let account: SignedInAccount
    private let moderator: SignedInAccount
    private var sender: WebSender

    init(account: SignedInAccount, moderator: SignedInAccount, sender: WebSender) {
        (self.account, self.moderator, self.sender) = (account, moderator, sender)
    }

    /// The events of exports that the services append by themselves.
    static let others: Set<String> = ["ExportMade", "ExportFailed", "ExportRestricted"]

    /// Works until the stop sign; completes every export that has begun.
    mutating func run(until stop: StopSign) async {
        while !stop.isRaised, !Task.isCancelled {
            do {
                try await addRecord()
                guard let id = try await ask(), let export = try await finished(id) else { continue }
                try await check(export)
            } catch {
                return sender.recorder.complain("an export could not be checked: \(error)")
            }
        }
    }

    /// Submits a sighting and has it approved: exports hold no others.
    private mutating func addRecord() async throws {
        let (key, body) = (sender.random.uuid(), SightingBody.random(&sender.random))
        let command = body.command(key, by: account.id)
        let request = try WebRequest(.POST, "/v1/sightings", token: account.token, key: key).with(body)
        let outcome = await sender.deliver(request, [command]) { [WebSender.Outcome($0, success: 201)] }
        guard case .acknowledged(_, let version) = outcome[0] else { return }
        try await approve(command.stream, version)
    }

    private mutating func approve(_ sighting: UUID, _ version: Int) async throws {
        let key = sender.random.uuid()
        let name = moderator.id.uuidString.lowercased()
        let command = History.Command(
            id: CommandID.derive(account: moderator.id, command: "JudgeSighting", target: sighting, key: key),
            stream: sighting, expectedVersion: version, actor: moderator.id,
            events: [.init(type: "SightingApproved", payload: .members(["moderator": .string(name)]))])
        let path = "/v1/moderation/sightings/\(sighting.uuidString.lowercased())/decisions"
        var request = try WebRequest(.POST, path, token: moderator.token, key: key).with(["decision": "approve"])
        request.headers.append(("If-Match", "\"\(version).torture\""))
        _ = await sender.deliver(request, [command]) { [WebSender.Outcome($0, success: 200)] }
    }

    /// Asks for an export of the present.
    private mutating func ask() async throws -> UUID? {
        let (key, format) = (sender.random.uuid(), sender.random.element(of: Self.formats))
        let id = CommandID.derive(account: account.id, command: "RequestExport", key: key)
        let asking = account.id.uuidString.lowercased()
        let payload: [String: JSONValue] = ["account": .string(asking), "format": .string(format)]
        let command = History.Command(
            id: id, stream: CommandID.stream(kind: "export", of: id), actor: account.id,
            events: [.init(type: "ExportRequested", payload: .members(payload))])
        let request = try WebRequest(.POST, "/v1/exports", token: account.token, key: key).with(Body(format))
        let outcome = await sender.deliver(request, [command]) { [WebSender.Outcome($0, success: 202, version: 1)] }
        guard case .acknowledged = outcome[0] else { return nil }
        return command.stream
    }

    /// Waits until an export is made, or is known to have failed.
    private mutating func finished(_ id: UUID) async throws -> Export? {
        let deadline = ContinuousClock.now + Self.patience
        while !Task.isCancelled {
            guard let answer = await sender.ask(WebRequest(.GET, Self.path(id))) else { return nil }
            guard answer.status == 200 else {
                sender.recorder.complain("export \(id) is answered with \(answer.status)")
                return nil
            }
            let export = try JSONDecoder().decode(Export.self, from: answer.body)
            switch export.state {
            case "ready": return export
            // The fault that fills the disk.
            case "failed" where export.reason == "no-space": return nil
            case "failed", "cancelled":
                sender.recorder.complain("export \(id) is \(export.state): \(export.reason ?? "no reason")")
                return nil
            default: break
            }
            guard ContinuousClock.now < deadline else {
                sender.recorder.complain("export \(id) stays \(export.state)")
                return nil
            }
            try? await Task.sleep(for: .milliseconds(sender.random.int(in: 50...300)))
        }
        return nil
    }

    /// Downloads what is ready, and compares it with the record of it.
    private mutating func check(_ export: Export) async throws {
        guard let made = export.revisions.last else {
            return sender.recorder.complain("export \(export.id) is ready without a revision")
        }
        var request = WebRequest(.GET, Self.path(export.id) + "/data?revision=\(made.revision)")
        request.timeout = Self.timeout
        guard let answer = await sender.ask(request) else { return }
        // A redaction may have taken it back.
        if answer.status == 410, answer.problem == "export-restricted" { return }
        guard answer.status == 200 else {
            return sender.recorder.complain(
                "export \(export.id) is ready without its bytes: \(answer.status) \(answer.problem ?? "")")
        }
        let digest = SHA256.hash(data: answer.body).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        guard answer.body.count == made.bytes, digest == made.sha256 else {
            return sender.recorder.complain(
                "export \(export.id) has \(answer.body.count) bytes of hash \(digest), "
                    + "but should have \(made.bytes) of \(made.sha256)")
        }
        sender.recorder.downloadedExport()
    }

    private static func path(_ export: UUID) -> String { "/v1/exports/\(export.uuidString.lowercased())" }
}

/// An export as anyone sees it.
private struct Export: Decodable {
    struct Revision: Decodable {
        var revision: Int
        var bytes: Int
        var sha256: String
    }

    var id: UUID
    var state: String
    var reason: String?
    var revisions: [Revision]
}
