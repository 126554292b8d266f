import FoundationEssentials
import HTTPTypes
package import Hummingbird
import NIOCore
import Service

/// Applies quotas to each account, or to each client where no account is signed in.
package struct RateLimiting: RouterMiddleware {
    private let limiters: [RateLimiter]
    /// For accounts in their first week.
    private let newcomers: [RateLimiter]
    private let addressing: ClientAddressing

    /// Begins to count.
    /// - Parameter newcomers: the limiters of accounts in their first week; nil for the same ones.
    package init(_ limiters: [RateLimiter], newcomers: [RateLimiter]? = nil, addressing: ClientAddressing) {
        self.limiters = limiters
        self.newcomers = newcomers ?? limiters
        self.addressing = addressing
    }

    /// Takes from the quotas and reports their state in the response headers, also of a rejection. A request that the
    /// service could not serve (503) takes nothing.
    /// - Throws: `ProblemDetails` when a quota is used up; what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard let allowance = allowance(of: request, context) else { return try await next(request, context) }
        do {
            try allowance.take(items: 1, bytes: request.announcedBytes)
            var (request, context) = (request, context)
            context.allowance = allowance
            request.countBody(for: allowance)
            var response = try await next(request, context)
            if response.status == .serviceUnavailable { allowance.giveBack() }
            allowance.tell(&response.headers)
            return response
        } catch {
            // A rejection reports the state of the quotas like every other response.
            guard var problem = ProblemDetails(error) else { throw error }
            if problem.type.status == .serviceUnavailable { allowance.giveBack() }
            allowance.tell(&problem.headers)
            throw problem
        }
    }

    private func allowance(of request: Request, _ context: APIContext) -> Allowance? {
        let writes = request.method != .get && request.method != .head
        if let principal = context.principal {
            return Allowance(limiters(for: principal), .account(principal.accountID), writes: writes)
        }
        guard let address = addressing.address(of: request, context) else { return nil }
        return Allowance(limiters, .address(address), writes: writes)
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
            let allowance = Allowance([limiter], .address(address), writes: false)
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

/// Sets the client on behalf of which passwords are hashed, so that clients take turns.
package struct CredentialTurns: RouterMiddleware {
    let addressing: ClientAddressing

    /// - Throws: what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let client = addressing.address(of: request, context)?.text
        return try await PasswordHasher.$client.withValue(client) { try await next(request, context) }
    }
}

extension Principal {
    /// Whether the account is in its first week.
    fileprivate func isNew(at now: Date) -> Bool {
        registeredAt.map { now.timeIntervalSince($0) < 7 * 86_400 } ?? false
    }
}

extension Request {
    /// Photos have a daily quota of their own.
    private var isPhoto: Bool {
        headers[.contentType].map { $0.hasPrefix("image/") || $0.hasPrefix("application/partial-upload") } ?? false
    }

    /// The declared length of the body; 0 if there is no body, or no declared length, and for photos.
    fileprivate var announcedBytes: Int {
        isPhoto ? 0 : headers[.contentLength].flatMap { Int($0) }.map { max(0, $0) } ?? 0
    }

    /// Counts a body of unknown length while it is read.
    fileprivate mutating func countBody(for allowance: Allowance) {
        guard headers[.contentLength] == nil, headers[.transferEncoding] != nil, !isPhoto else { return }
        body = RequestBody(
            asyncSequence: body.map { buffer in
                allowance.charge(bytes: buffer.readableBytes)
                return buffer
            })
    }
}
