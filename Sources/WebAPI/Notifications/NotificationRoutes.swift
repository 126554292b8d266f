import Domain
import Forms
import HTTPTypes
import Hummingbird
import JSON
import ReadModels
import Service
package import Web

/// Lists the caller's notifications: moderators' actions on the own sightings and photos, and changes of targets.
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
        var page = NotificationService.Request(limit: query.pageLimit())
        page.after = query.optional("after", NotificationNumber.init(_:))?.value
        try query.finish()
        try await notifications.wait(try await Asked(request.headers, of: account, log))
        let found = try await notifications.page(of: account, page)
        var headers: HTTPFields = [:]
        headers.link(next: found.next, of: request)
        return .json(JSONWriter.bytes(of: found), headers: headers)
    }

    private func read(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        var body = JSONObjectReader(try await request.json())
        let number = body.required("upTo", Int.self) { (number) throws(RuleViolation) in
            try NotificationNumber(number).value
        }
        try body.finish()
        guard let number else { throw body.faults }
        try await notifications.wait(try await Asked(request.headers, of: account, log))
        let unread = try await notifications.read(upTo: number, by: account)
        return .json(JSONWriter.bytes(of: Unread(count: unread)))
    }
}

/// The number of a notification, or 0.
struct NotificationNumber {
    private static let range = 0...Int(Int32.max)

    let value: Int

    init(_ number: Int) throws(RuleViolation) {
        guard Self.range.contains(number) else { throw .wholeNumber(Self.range) }
        value = number
    }

    init(_ text: String) throws(RuleViolation) {
        guard text.utf8.count <= 10, let number = Int(text) else { throw .wholeNumber(Self.range) }
        try self.init(number)
    }
}
