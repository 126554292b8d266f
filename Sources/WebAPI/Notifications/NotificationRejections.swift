import HTTPTypes
package import Service
package import Web

extension EventStreams.Rejection: ProblemConvertible {
    /// The problem that stands for the error. Connections of clients that have vanished are noticed in a minute or two.
    package var problem: ProblemDetails {
        switch self {
        case .tooManyOfAccount: ProblemDetails(.tooManyStreams, headers: [.retryAfter: "60"])
        case .tooManyInProcess: .unavailable(retryAfter: 60)
        }
    }
}
