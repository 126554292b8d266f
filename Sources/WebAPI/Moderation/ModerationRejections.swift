import HTTPTypes
package import Service
package import Web

extension ModerationRejection: ProblemConvertible {
    /// The problem that stands for the error.
    package var problem: ProblemDetails {
        switch self {
        case .claimed: ProblemDetails(.claimed)
        }
    }
}

extension FlagService.Rejection: ProblemConvertible {
    /// The problem that stands for the error.
    package var problem: ProblemDetails { ProblemDetails(.flagQuota, headers: [.retryAfter: "\(secondsLeft)"]) }
}
