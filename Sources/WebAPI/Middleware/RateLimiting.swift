internal import HTTPTypes
package import Hummingbird
internal import Service

/// Applies a quota to each account, or to each client where no account is signed in.
package struct RateLimiting: RouterMiddleware {
    private let limiter: RateLimiter
    private let addressing: ClientAddressing
    private let policyHeader: String

    /// Begins to count.
    package init(_ limiter: RateLimiter, addressing: ClientAddressing) {
        self.limiter = limiter
        self.addressing = addressing
        policyHeader = limiter.policy.headerValue
    }

    /// Takes from the quota and reports its state in the response headers, also of a rejection.
    /// - Throws: `ProblemDetails` when the quota is used up; what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard let key = key(request, context) else { return try await next(request, context) }
        let decision = limiter.take(key)
        guard decision.isAllowed else {
            var problem = ProblemDetails(.tooManyRequests)
            problem.headers[.retryAfter] = String(decision.retryAfter)
            tell(decision, &problem.headers)
            throw problem
        }
        do {
            var response = try await next(request, context)
            tell(decision, &response.headers)
            return response
        } catch {
            // A rejection reports the state of the quota like every other response.
            guard var problem = ProblemDetails(error) else { throw error }
            tell(decision, &problem.headers)
            throw problem
        }
    }

    private func key(_ request: Request, _ context: APIContext) -> RateLimitKey? {
        if let principal = context.principal { return .account(principal.accountID) }
        return addressing.address(of: request, context).map(RateLimitKey.address)
    }

    private func tell(_ decision: RateLimitDecision, _ headers: inout HTTPFields) {
        headers[.rateLimit] = "\"\(limiter.policy.name)\";r=\(decision.remaining);t=\(decision.secondsToFull)"
        headers[.rateLimitPolicy] = policyHeader
    }
}
