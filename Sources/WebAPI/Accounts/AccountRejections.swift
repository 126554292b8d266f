package import Domain
import HTTPTypes
package import Service
package import Web

extension AccountRejection: ProblemConvertible {
    /// The problem that stands for the rejection.
    package var problem: ProblemDetails {
        switch self {
        case .notFound: ProblemDetails(.notFound)
        case .erased: ProblemDetails(.gone)
        case .alreadyRegistered, .birderIsForEveryone, .ownAccount: ProblemDetails(.conflict)
        case .otherAddress: ProblemDetails(.invalidCode)
        case .lastAdmin: ProblemDetails(.lastAdmin)
        case .invalid(let faults): faults.problem
        }
    }
}

extension Passwords.Rejection: ProblemConvertible {
    /// The problem that stands for the error.
    package var problem: ProblemDetails {
        switch self {
        case .wrongPassword: ProblemDetails(.wrongPassword)
        case .code: ProblemDetails(.invalidCode)
        }
    }
}

extension EmailVerifications.Rejection: ProblemConvertible {
    /// The problem that stands for the error.
    package var problem: ProblemDetails {
        switch self {
        case .verified: ProblemDetails(.emailVerified)
        case .code: ProblemDetails(.invalidCode)
        }
    }
}

extension FavouriteRejection: ProblemConvertible {
    /// 409: the account has as many as it may have.
    package var problem: ProblemDetails { ProblemDetails(.tooManyFavourites) }
}
