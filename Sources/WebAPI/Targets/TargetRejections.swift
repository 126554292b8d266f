package import Domain
package import Web

extension TargetsRejection: ProblemConvertible {
    /// The problem that stands for the rejection.
    package var problem: ProblemDetails {
        switch self {
        case .weekHasBegun: ProblemDetails(.weekHasBegun)
        case .noRunningWeek: ProblemDetails(.noRunningWeek)
        case .unknownTarget: ProblemDetails(.notFound)
        case .alreadyTarget: ProblemDetails(.alreadyTarget)
        case .tooMany: ProblemDetails(.conflict)
        }
    }
}
