import Domain
import Forms
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// Many decisions of a moderator in one request, and undoing them.
package struct DecisionBatchRoutes: RouteGroup {
    /// The number of items in a request.
    static let items = 1...500
    /// Items in progress at the same time: a batch leaves connections for others.
    private static let atOnce = 8

    let batches: DecisionBatches
    let log: LogState

    package var routes: [Route] {
        [
            Route(.post, "/v1/moderation/decisions", .moderators, reads: [.body], decide),
            Route(
                .post, "/v1/moderation/batches/{id}/undo", .moderators, reads: [.key, .position],
                problems: [.notFound], undo),
        ]
    }

    private func decide(_ request: Request, _ context: APIContext) async throws -> Response {
        let moderator = try context.signedIn().accountID
        let items = try await BatchItems.read(request, count: Self.items, context)
        let given = items.enumerated().map { index, item in DecisionRequest(item, at: "/items/\(index)") }
        let batch = batches.id(of: given.compactMap(\.key), by: moderator)
        let results = await BatchItems.results(of: given, atOnce: Self.atOnce) { index, item in
            await DecisionResult(item, context) {
                let (key, version, decision) = try item.complete()
                return try await BatchItems.pointing(to: "/items/\(index)") {
                    try await batches.decide(decision, in: batch, ifVersion: version, by: moderator, key: key)
                }
            }
        }
        return try answer(results, batch: batch)
    }

    private func undo(_ request: Request, _ context: APIContext) async throws -> Response {
        let moderator = try context.signedIn().accountID
        let key = try IdempotencyKey(request.headers).uuid
        guard let batch = context.parameters.get("id").flatMap(DecisionBatchID.init) else {
            throw ProblemDetails(.notFound)
        }
        let items = try await batches.items(of: batch, try await Asked(request.headers, log))
        let results = await BatchItems.results(of: items, atOnce: Self.atOnce) { _, item in
            await DecisionResult(undoing: item.subject, item.id, context) {
                try await batches.undo(item.subject, item.id, of: batch, by: moderator, key: key)
            }
        }
        return try answer(results, batch: batch)
    }

    private func answer(_ results: [DecisionResult], batch: DecisionBatchID) throws -> Response {
        var headers: HTTPFields = [:]
        let position = results.map(\.position).max() ?? 0
        if position > 0 { try headers.tell(position: position, of: log) }
        return .json(JSONWriter.bytes(of: DecidedBatch(batch: batch, results: results)), headers: headers)
    }
}

/// One item as far as it could be read, and its faults.
private struct DecisionRequest: Sendable {
    private(set) var key: UUID?
    private(set) var subject: ReviewItem.Subject?
    private(set) var id: UUID?
    private var version: Int?
    private var decision: DecisionBatches.Item?
    private var faults: Faults?

    /// Reads `{key, subject, id, version, decision, reasons?, note?}`.
    init(_ json: JSONValue, at place: String) {
        var body = JSONObjectReader(json, at: place)
        key = body.itemKey()?.uuid
        subject = body.required("subject", String.self) { (word) throws(RuleViolation) in
            try ReviewItem.Subject(word: word)
        }
        id = body.required("id", String.self) { (text) throws(RuleViolation) in try SightingID(text: text).uuid }
        version = body.required("version", Int.self) { (number) throws(RuleViolation) in
            guard number > 0 else { throw RuleViolation(.range, "must be at least 1") }
            return number
        }
        do throws(Faults) {
            decision = try decision(from: &body)
        } catch {
            faults = error
        }
    }

    /// The rest of the item. Without a subject its reasons cannot be read.
    private func decision(from body: inout JSONObjectReader) throws(Faults) -> DecisionBatches.Item? {
        guard let subject, let id else { throw body.faults }
        switch subject {
        case .sighting: return .sighting(SightingID(id), try body.verdict())
        case .photo: return .photo(PhotoID(id), try body.verdict())
        }
    }

    /// - Throws: `Faults`.
    func complete() throws -> (key: UUID, version: Int, decision: DecisionBatches.Item) {
        if let faults { throw faults }
        guard let key, let version, let decision else { throw ProblemDetails(.internalError) }
        return (key, version, decision)
    }
}

/// The result of one decision of a batch, or of undoing it.
private struct DecisionResult: Sendable, JSONRepresentable {
    /// The item's key, null if it was invalid; omitted when a batch is undone.
    private enum Key {
        case sent(UUID?)
        case none
    }

    private let key: Key
    private let subject: ReviewItem.Subject?
    private let id: UUID?
    private let version: Int?
    /// 0 for a rejected one.
    let position: Int64
    private let problem: ProblemDetails?
    /// The id of the request, for `instance` of a problem.
    private let instance: String

    init(
        _ item: DecisionRequest, _ context: APIContext, _ body: () async throws -> DecisionBatches.Decided
    ) async {
        await self.init(.sent(item.key), item.subject, item.id, context, body)
    }

    init(
        undoing subject: ReviewItem.Subject, _ id: UUID, _ context: APIContext,
        _ body: () async throws -> DecisionBatches.Decided
    ) async {
        await self.init(.none, subject, id, context, body)
    }

    private init(
        _ key: Key, _ subject: ReviewItem.Subject?, _ id: UUID?, _ context: APIContext,
        _ body: () async throws -> DecisionBatches.Decided
    ) async {
        (self.key, self.subject, self.id, instance) = (key, subject, id, context.requestID)
        do {
            let decided = try await body()
            (version, position, problem) = (decided.version, decided.position, nil)
        } catch {
            (version, position, problem) = (nil, 0, ProblemDetails(reporting: error, in: context))
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            if case .sent(let key) = key { writer.field("key", key) }
            writer.field("subject", subject?.rawValue)
            writer.field("id", id)
            writer.field("status", problem?.type.status.code ?? 200)
            writer.field("version", version)
            if let problem {
                writer.field("problem", json: problem.body(instance: instance))
            } else {
                writer.field("problem", nil as Bool?)
            }
        }
    }
}

private struct DecidedBatch: JSONRepresentable {
    let batch: DecisionBatchID
    let results: [DecisionResult]

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("batchId", batch)
            writer.field("items", results)
        }
    }
}
