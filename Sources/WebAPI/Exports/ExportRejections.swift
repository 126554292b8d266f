package import Domain
import HTTPTypes
package import Service
package import Web

extension ExportRejection: ProblemConvertible {
    /// The problem that stands for the rejection.
    package var problem: ProblemDetails {
        switch self {
        case .notFound: ProblemDetails(.notFound)
        case .gone: ProblemDetails(.gone)
        case .ended: ProblemDetails(.conflict)
        }
    }
}

extension ErrataOfRanges: ProblemConvertible {
    package var problem: ProblemDetails {
        ProblemDetails(
            .conflict,
            detail: "A table of ranges has no errata. Compare it with another table: "
                + "GET /v1/exports/{id}/diff?with={id}.")
    }
}

extension ExportDiffRejection: ProblemConvertible {
    package var problem: ProblemDetails {
        switch self {
        case .notRanges(let id):
            ProblemDetails(
                .conflict,
                detail: "The export \(id) is not in the format ranges. Errata compare other formats with a later day: "
                    + "GET /v1/exports/{id}/errata.")
        case .differentPeriods:
            ProblemDetails(.conflict, detail: "The tables have different values of period.")
        }
    }
}

extension ExportRequestRejection: ProblemConvertible {
    /// The problem that stands for the rejection.
    package var problem: ProblemDetails {
        switch self {
        case .notConfigured(let settings):
            ProblemDetails(
                .notConfigured,
                detail: "Not set: " + settings.map(\.rawValue).joined(separator: ", ") + ".")
        case .running: ProblemDetails(.exportRunning, headers: [.retryAfter: "\(Self.wait)"])
        case .quota(let secondsLeft): ProblemDetails(.exportQuota, headers: [.retryAfter: "\(secondsLeft)"])
        case .full: .unavailable(detail: "Too many exports wait to be made.", retryAfter: Self.waitForRoom)
        case .notReady(let state, let wait):
            ProblemDetails(
                .exportNotReady, detail: "The export is \(state.rawValue).",
                headers: [.failed, .cancelled].contains(state) ? [:] : [.retryAfter: "\(wait)"])
        case .otherOutput: ProblemDetails(.outputVersion)
        case .restricted(let id, let successor):
            ProblemDetails(
                .exportRestricted,
                headers: [.link: "</v1/exports/\(id)/data?revision=\(successor)>; rel=\"successor-version\""])
        }
    }
}
