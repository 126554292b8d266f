import Domain
import HTTPTypes
package import Service
package import Web

extension SessionRejection: ProblemConvertible {
    /// 401, whatever was wrong.
    package var problem: ProblemDetails { ProblemDetails(.wrongCredentials) }
}

extension AccountKeys.Rejection: ProblemConvertible {
    /// The problem that stands for the error.
    package var problem: ProblemDetails {
        switch self {
        case .tooMany: ProblemDetails(.tooManyKeys)
        case .role(let role): ProblemDetails(.forbidden, detail: "A scope needs the role \(role.rawValue).")
        }
    }
}
