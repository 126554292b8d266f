import Domain
import HTTPTypes
import Hummingbird
package import JSON
import ReadModels
package import Service

/// Lists moderators' actions on the caller's sightings and photos.
package struct NotificationRoutes: RouteGroup {
    let notifications: NotificationService
    let log: LogState

    package var routes: [Route] {
        [
            Route(.get, "/v1/me/notifications", .signedIn, reads: [.query, .position], list),
            Route(.put, "/v1/me/notifications/read", .signedIn, reads: [.body, .position], read),
        ]
    }

    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var query = QueryReader(request)
        let limit = query.pageLimit()
        let after = query.optional("after") { (text) throws(RuleViolation) in
            guard text.utf8.count <= 10, let number = Int(text) else { throw .wholeNumber(Self.numbers) }
            return try Self.number(number)
        }
        try query.finish()
        try await wait(request, account)
        let page = try await notifications.page(of: account, after: after ?? 0, limit: limit)
        var headers = Self.headers
        headers.link(next: page.next, of: request)
        return .json(JSONWriter.bytes(of: page), headers: headers)
    }

    private func read(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var body = JSONObjectReader(try await request.json())
        let number = body.required("upTo", Int.self) { (number) throws(RuleViolation) in try Self.number(number) }
        try body.finish()
        guard let number else { throw body.faults }
        try await wait(request, account)
        let unread = try await notifications.read(upTo: number, by: account)
        return .json(JSONWriter.bytes(of: Unread(count: unread)), headers: Self.headers)
    }

    private func wait(_ request: Request, _ account: AccountID) async throws {
        try await ReadYourWrites(log).wait(request.headers, model: NotificationService.model, account: account)
    }

    private static let headers: HTTPFields = [.cacheControl: CachePolicy.privateNoStore.rawValue]

    private static let numbers = 0...Int(Int32.max)

    private static func number(_ number: Int) throws(RuleViolation) -> Int {
        guard numbers.contains(number) else { throw .wholeNumber(numbers) }
        return number
    }
}

extension NotificationService.Page: JSONRepresentable {
    /// The value of `after` for the next page; nil on the last one.
    fileprivate var next: String? { hasMore ? items.last.map { String($0.notification.number) } : nil }

    /// Writes the notifications, the number of unread ones, and the next page's `after`, null on the last.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("items", items)
            writer.field("unread", unread)
            writer.field("next", next)
        }
    }
}

extension NotificationService.Shown: JSONRepresentable {
    /// Writes a notification for its owner.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("number", notification.number)
            writer.field("kind", notification.kind.rawValue)
            writer.field("sightingId", notification.sighting)
            writer.field("photoId", notification.subject == .photo ? PhotoID(notification.id) : nil)
            writer.field("reasons", notification.reasons)
            writer.field("note", note)
            writer.field("recordedAt", notification.recordedAt)
        }
    }
}

private struct Unread: JSONRepresentable {
    let count: Int

    func write(to writer: inout JSONWriter) {
        writer.object { $0.field("unread", count) }
    }
}
