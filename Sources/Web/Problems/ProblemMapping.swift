import Domain
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
package import Service

extension ProblemDetails {
    /// The problem that an error is; nil for an unforeseen error.
    package init?(_ error: any Error) {
        switch error {
        case let error as any ProblemConvertible: self = error.problem
        case let error as any HTTPResponseError: self.init(.chosen(error.status))
        case is CancellationError: self = .unavailable()
        case let error where PassingTrouble.isPassing(error): self = .unavailable()
        default: return nil
        }
    }
}

extension ProblemType {
    /// The problem for a status that Hummingbird chose.
    fileprivate static func chosen(_ status: HTTPResponse.Status) -> ProblemType {
        switch status {
        case .notFound: .notFound
        case .contentTooLarge: .contentTooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .serviceUnavailable: .unavailable
        default: status.kind == .clientError ? .badRequest : .internalError
        }
    }
}

extension MalformedJSON: ProblemConvertible {
    package var problem: ProblemDetails {
        let fault = ProblemFault(.pointer(pointer), code: "syntax", detail: "\(reason) (at byte \(offset))")
        return ProblemDetails(.malformedJSON, errors: [fault])
    }
}

extension Faults: ProblemConvertible {
    package var problem: ProblemDetails {
        let errors = all.map { ProblemFault(.pointer($0.pointer), code: $0.code.rawValue, detail: $0.message) }
        return ProblemDetails(.validationFailed, errors: errors)
    }
}

extension CommandError: ProblemConvertible {
    /// The problem that stands for the error.
    package var problem: ProblemDetails {
        switch self {
        case .keyReused: ProblemDetails(.idempotencyKeyReused)
        case .notFound: ProblemDetails(.notFound)
        case .stale: ProblemDetails(.preconditionFailed)
        case .withdrawn: ProblemDetails(.withdrawn)
        case .gone: ProblemDetails(.gone)
        case .callerErased: ProblemDetails(.unauthenticated)
        case .emailTaken: ProblemDetails(.emailTaken)
        case .ordinalTaken: ProblemDetails(.conflict)
        case .unavailable: .unavailable()
        case .rejected: ProblemDetails(.internalError)
        }
    }
}

extension FairTurns.Rejection: ProblemConvertible {
    /// 503: too many requests wait for their turn.
    package var problem: ProblemDetails { .unavailable(retryAfter: 2, isOwn: isOwn) }
}

extension ModelBehind: ProblemConvertible {
    package var problem: ProblemDetails { .unavailable(.modelBehind) }
}

extension DayNotOver: ProblemConvertible {
    package var problem: ProblemDetails { ProblemDetails(.dayNotOver) }
}
