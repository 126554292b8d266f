import FoundationEssentials
import HTTPTypes
package import Hummingbird
import JSON
import NIOConcurrencyHelpers
import NIOCore
package import Service

/// Applies quotas to each account, or to each client where no account is signed in.
package struct RateLimiting: RouterMiddleware {
    private let limiters: [RateLimiter]
    /// For accounts in their first week.
    private let newcomers: [RateLimiter]
    /// For API keys, beside those of their accounts.
    private let keys: [RateLimiter]
    /// For the bytes of photos of each client, from all its accounts.
    private let photos: RateLimiter?
    private let addressing: ClientAddressing
    /// The names of the routes that take photos.
    private let photoRoutes: Set<String>

    /// Begins to count.
    /// - Parameters:
    ///   - newcomers: the limiters of accounts in their first week; nil for the same ones.
    ///   - keys: the limiters of API keys, beside those of their accounts.
    ///   - photos: the limiter of the bytes of photos of each client.
    ///   - photoRoutes: the names of routes whose bytes count towards that limiter only.
    package init(
        _ limiters: [RateLimiter], newcomers: [RateLimiter]? = nil, keys: [RateLimiter] = [],
        photos: RateLimiter? = nil, addressing: ClientAddressing, photoRoutes: Set<String> = []
    ) {
        self.keys = keys
        self.photos = photos
        self.limiters = limiters
        self.newcomers = newcomers ?? limiters
        self.addressing = addressing
        self.photoRoutes = photoRoutes
    }

    /// Takes from the quotas and reports their state in the response headers, also of a rejection. A request that the
    /// service could not serve (503) takes nothing, unless other requests of the same client were the cause.
    /// - Throws: `ProblemDetails` when a quota is used up; what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard let allowance = allowance(of: request, context) else { return try await next(request, context) }
        var request = request
        var count: BodyCount?
        do {
            let most = takesPhotos(request, context) ? PhotoSpool.mostBytes : JSONLimits.batch.bytes
            let announced = request.announcedBytes(atMost: most)
            try allowance.take(items: 1, bytes: announced ?? 0)
            if announced != 0 { count = request.countBody(announced, for: allowance) }
            var context = context
            context.allowance = allowance
            var response = try await next(request, context)
            count?.giveBackUnread()
            if response.status == .serviceUnavailable { allowance.giveBack() }
            allowance.tell(&response.headers)
            return response
        } catch {
            count?.giveBackUnread()
            // A rejection reports the state of the quotas like every other response.
            guard var problem = ProblemDetails(error) else { throw error }
            if !problem.counts { allowance.giveBack() }
            allowance.tell(&problem.headers)
            throw problem
        }
    }

    private func allowance(of request: Request, _ context: APIContext) -> Allowance? {
        let writes = request.method != .get && request.method != .head
        if let principal = context.principal {
            let takesPhotos = takesPhotos(request, context)
            let account = limiters(for: principal).filter { !takesPhotos || $0.policy.unit != .bytes }
                .map { ($0, RateLimitKey.account(principal.accountID)) }
            let key = principal.key.map { key in keys.map { ($0, RateLimitKey.apiKey(key.id)) } } ?? []
            let address = takesPhotos ? addressing.address(of: request, context) : nil
            let client = photos.flatMap { photos in address.map { [(photos, RateLimitKey.address($0.text))] } } ?? []
            return Allowance(account + key + client, writes: writes)
        }
        guard let address = addressing.address(of: request, context) else { return nil }
        return Allowance(limiters, .address(address.text), writes: writes)
    }

    /// Whether the route takes a photo, whatever type its body is said to have.
    private func takesPhotos(_ request: Request, _ context: APIContext) -> Bool {
        context.endpointPath.map { photoRoutes.contains("\(request.method) \($0)") } ?? false
    }

    /// The counters of an account.
    func limiters(for principal: Principal) -> [RateLimiter] {
        principal.isNew(at: Date()) ? newcomers : limiters
    }
}

/// Counts towards the client's quota requests that match no route (an unknown path, a wrong method), and those rejected
/// because they have no valid token.
package struct RejectionLimiting: RouterMiddleware {
    let limiter: RateLimiter
    let addressing: ClientAddressing

    /// - Throws: `ProblemDetails` when the quota is used up; what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            guard let problem = ProblemDetails(error), problem.headers[.rateLimit] == nil,
                problem.type.status.kind == .clientError,
                let address = addressing.address(of: request, context)
            else { throw error }
            let allowance = Allowance([limiter], .address(address.text), writes: false)
            do {
                try allowance.take(items: 1)
            } catch {
                var usedUp = error
                allowance.tell(&usedUp.headers)
                throw usedUp
            }
            throw error
        }
    }
}

/// Sets the client for which the use cases work, so that clients take turns.
package struct ClientTurns: RouterMiddleware {
    let addressing: ClientAddressing

    /// - Throws: what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let client = addressing.address(of: request, context)?.text
        return try await TurnClient.$address.withValue(client) { try await next(request, context) }
    }
}

extension Principal {
    /// Whether the account is in its first week.
    fileprivate func isNew(at now: Date) -> Bool {
        registeredAt.map { now.timeIntervalSince($0) < 7 * 86_400 } ?? false
    }
}

extension Request {
    /// The declared length of the body, at most what any route reads; 0 if there is no body, nil if it declares none.
    fileprivate func announcedBytes(atMost most: Int) -> Int? {
        if let length = announcedLength { return min(max(0, length), most) }
        return headers[.transferEncoding] == nil ? 0 : nil
    }

    /// Counts the body while it is read, if that makes a difference.
    /// - Parameter announced: what was taken for it; nil for a body of unknown length.
    fileprivate mutating func countBody(_ announced: Int?, for allowance: Allowance) -> BodyCount? {
        if let announced, announced <= RequestGuard.unwantedBytes { return nil }
        let count = BodyCount(announced: announced, allowance: allowance)
        body = RequestBody(
            asyncSequence: body.map { buffer in
                count.add(buffer.readableBytes)
                return buffer
            })
        return count
    }
}

/// Counts the bytes of a body that are read.
private final class BodyCount: Sendable {
    private let announced: Int?
    private let allowance: Allowance
    private let read = NIOLockedValueBox(0)

    init(announced: Int?, allowance: Allowance) {
        (self.announced, self.allowance) = (announced, allowance)
    }

    func add(_ bytes: Int) {
        read.withLockedValue { $0 += bytes }
        if announced == nil { allowance.charge(bytes: bytes) }
    }

    /// Gives back what was announced but not read. Of a rejected body, some bytes are read all the same.
    func giveBackUnread() {
        guard let announced else { return }
        let used = max(read.withLockedValue { $0 }, RequestGuard.unwantedBytes)
        if used < announced { allowance.giveBack(bytes: announced - used) }
    }
}
