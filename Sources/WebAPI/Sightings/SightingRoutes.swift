import Domain
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// Submitting sightings, one or a hundred at a time.
package struct SightingRoutes: RouteGroup {
    /// Items of a batch, at most.
    static let batchItems = 1...100

    let sightings: SightingService
    let log: LogState

    package var routes: [Route] {
        [
            Route(
                .post, "/v1/sightings", .signedIn, reads: [.body, .key],
                problems: [.withdrawn, .gone, .unverifiedQuota], submit),
            Route(.post, "/v1/sightings/batch", .signedIn, reads: [.body], submitBatch),
        ]
    }

    private func submit(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let key = try IdempotencyKey(request.headers)
        let preferences = Preferences(request.headers)
        let submission = try SightingRequest(
            try await request.json(), isStrict: preferences.isStrict, implausible: sightings.implausibleTimes)
        let finding = try await sightings.submit(submission, by: account, key: key.uuid)
        var headers: HTTPFields = [.location: "/v1/me/findings/\(finding.id)"]
        try headers.tell(position: finding.position, of: log)
        headers[.preferenceApplied] = preferences.applied
        return try Response.ownRepresentation(
            JSONWriter.bytes(of: finding), version: finding.version, for: request, status: .created, headers: headers)
    }

    private func submitBatch(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let preferences = Preferences(request.headers)
        let items = try await BatchItems.read(request, count: Self.batchItems, context)
        let answers = await BatchItems.results(of: items, atOnce: Self.batchItems.upperBound) { index, item in
            await answer(to: item, index, account, preferences.isStrict, context)
        }
        var headers: HTTPFields = [:]
        headers[.preferenceApplied] = preferences.applied
        if let position = answers.map(\.position).max(), position > 0 {
            try headers.tell(position: position, of: log)
        }
        let list = WholeList(items: answers.map(\.result))
        return .json(JSONWriter.bytes(of: list), headers: headers)
    }

    /// What became of one item of a batch.
    private struct Answer: Sendable {
        var result: BatchItemResult
        /// 0 for a rejected one.
        var position: Int64
    }

    /// One item's outcome; whatever goes wrong with it stays with it.
    private func answer(
        to item: JSONValue, _ index: Int, _ account: AccountID, _ isStrict: Bool, _ context: APIContext
    ) async -> Answer {
        let place = "/items/\(index)"
        var body = JSONObjectReader(item, at: place)
        let key = body.itemKey()
        do {
            let submission = try submission(&body, at: place + "/sighting", isStrict)
            guard let key else { throw body.faults }
            let finding = try await BatchItems.pointing(to: place + "/sighting") {
                try await sightings.submit(submission, by: account, key: key.uuid)
            }
            let result = BatchItemResult(
                key: key.uuid, outcome: .recorded(JSONWriter.bytes(of: finding), version: finding.version),
                instance: context.requestID)
            return Answer(result: result, position: finding.position)
        } catch {
            let problem = ProblemDetails(reporting: error, in: context)
            let result = BatchItemResult(key: key?.uuid, outcome: .rejected(problem), instance: context.requestID)
            return Answer(result: result, position: 0)
        }
    }

    /// The item's sighting; its faults are told together with those of the item.
    private func submission(
        _ body: inout JSONObjectReader, at place: String, _ isStrict: Bool
    ) throws -> SightingRequest {
        let node = body.take("sighting")
        if node == nil { body.note("sighting", .required) }
        var faults = Faults()
        faults.check("") { try body.finish() }
        let submission = faults.check("", if: node) {
            try SightingRequest($0, isStrict: isStrict, at: place, implausible: sightings.implausibleTimes)
        }
        try faults.throwIfAny()
        guard let submission else { throw faults }
        return submission
    }
}
