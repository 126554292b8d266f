import Domain
import HTTPTypes
import Hummingbird
import Service
package import Web

/// Sends the caller's notifications as they come (server-sent events).
package struct EventRoutes: RouteGroup {
    let notifications: NotificationService
    let streams: EventStreams

    package var routes: [Route] {
        [
            Route(
                .get, "/v1/me/events", .signedIn, reads: [.query, .lastEvent],
                problems: [.tooManyStreams, .modelBehind], isLasting: true, events)
        ]
    }

    private func events(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try context.signedIn()
        let after = try Self.start(request)
        try await notifications.wait(Asked(of: principal.accountID))
        guard request.method != .head else { return Response(status: .ok, headers: Self.headers) }
        // Opened first: whatever is recorded after the newest number was read wakes it.
        let stream = try streams.open(for: principal)
        let newest = try await streams.newest(of: principal.accountID)
        let body = EventStreamBody(
            stream: stream, notifications: notifications, account: principal.accountID,
            // If the client has seen higher numbers, these were lost, and begin again.
            last: min(after?.value ?? newest, newest), channel: context.channel)
        return Response(status: .ok, headers: Self.headers, body: ResponseBody { try await body.write(to: &$0) })
    }

    /// The number of the last notification that the client has seen: that of `Last-Event-ID`, which a client sends when
    /// it connects again, takes precedence over that of the URL.
    private static func start(_ request: Request) throws -> NotificationNumber? {
        var query = QueryReader(request)
        let after = query.optional("after", NotificationNumber.init(_:))
        try query.finish()
        guard let text = request.headers[.lastEventID] else { return after }
        do {
            return try NotificationNumber(text)
        } catch {
            throw ProblemDetails.header(.lastEventID, error.message)
        }
    }

    private static let headers: HTTPFields = [
        .contentType: "text/event-stream", .cacheControl: CachePolicy.privateNoStore.rawValue,
        // nginx passes each event on at once.
        .accelBuffering: "no",
    ]
}
