package import Domain
import HTTPTypes
package import Service
package import Web

extension SightingRejection: ProblemConvertible {
    /// The problem that stands for the rejection.
    package var problem: ProblemDetails {
        switch self {
        case .notFound, .otherDataset: ProblemDetails(.notFound)
        case .alreadySubmitted: ProblemDetails(.conflict)
        case .withdrawn: ProblemDetails(.withdrawn)
        case .redacted: ProblemDetails(.gone)
        case .ownSighting: ProblemDetails(.ownRecord)
        case .otherModerator: ProblemDetails(.otherModeratorRequired)
        case .notInBatch: ProblemDetails(.secondOpinionInBatch)
        case .nothingOpen: ProblemDetails(.nothingOpen)
        case .changedSince, .keptFromUndo: ProblemDetails(.conflict)
        case .invalid(let faults): faults.problem
        }
    }
}

extension UnverifiedQuota.Rejection: ProblemConvertible {
    /// The problem that stands for the error. The day ends in 24 hours at most; a client may ask again each hour.
    package var problem: ProblemDetails { ProblemDetails(.unverifiedQuota, headers: [.retryAfter: "3600"]) }
}
