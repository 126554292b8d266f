package import Domain
import Service

/// Limits the wrong passwords with which signed-in callers confirm a request.
package struct ConfirmationLimit: Sendable {
    private let limiter: RateLimiter?

    /// - Parameter policy: nil for no limit.
    package init(_ policy: RateLimitPolicy?) {
        limiter = policy.map { RateLimiter($0) }
    }

    /// Runs a request that checks the account's password. Only a wrong one counts; it is counted before the check, so
    /// that simultaneous attempts cannot exceed the quota.
    /// - Throws: `ProblemDetails` (429) when the quota is used up; what the request throws.
    package func counting<Value>(_ account: AccountID, _ request: () async throws -> Value) async throws -> Value {
        let allowance = limiter.map { Allowance([$0], .account(account), writes: true) }
        try allowance?.take(items: 1)
        do {
            let value = try await request()
            allowance?.giveBack()
            return value
        } catch {
            if error as? Passwords.Rejection != .wrongPassword { allowance?.giveBack() }
            throw error
        }
    }
}
