import HTTPTypes
package import Service
package import Web

extension OwnData.Rejection: ProblemConvertible {
    /// The problem that stands for the rejection.
    package var problem: ProblemDetails {
        switch self {
        case .running:
            ProblemDetails(
                .tooManyRequests, detail: "Another download of your data is running.", headers: [.retryAfter: "60"])
        case .busy(let isOwn): .unavailable(retryAfter: 60, isOwn: isOwn)
        }
    }
}
