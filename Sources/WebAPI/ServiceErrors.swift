package import Domain
import HTTPTypes
package import Service
package import Web

// What the errors of the use cases are to a client.

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
        case .refused: ProblemDetails(.internalError)
        }
    }
}

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

extension PhotoRejection: ProblemConvertible {
    /// The problem that stands for the rejection.
    package var problem: ProblemDetails {
        switch self {
        case .notFound: ProblemDetails(.notFound)
        case .alreadyUploaded, .changedSince: ProblemDetails(.conflict)
        case .gone: ProblemDetails(.gone)
        case .ownPhoto: ProblemDetails(.ownRecord)
        case .invalid(let faults): faults.problem
        }
    }
}

extension ModerationRefusal: ProblemConvertible {
    /// The problem that stands for the error.
    package var problem: ProblemDetails {
        switch self {
        case .claimed: ProblemDetails(.claimed)
        }
    }
}

extension PhotoRefusal: ProblemConvertible {
    /// The problem that stands for the error.
    package var problem: ProblemDetails {
        switch self {
        case .tooMany: ProblemDetails(.tooManyPhotos)
        case .tooManyUploads: ProblemDetails(.tooManyUploads)
        case .quota(let secondsLeft): ProblemDetails(.photoQuota, headers: [.retryAfter: "\(secondsLeft)"])
        case .unreadable: ProblemDetails(.unreadablePhoto)
        case .tooManyPixels:
            ProblemDetails(
                .unreadablePhoto,
                detail: "The photo has more than 100 megapixels, or more than 65,500 pixels on a side.")
        case .tooManyParts:
            ProblemDetails(
                .unreadablePhoto,
                detail: "The photo has more than 100 scans or 1,000 segments (JPEG), 1,000 frames (WebP), or 1,000 "
                    + "items and references (HEIC). Save it again in an ordinary form.")
        case .unsupportedType: ProblemDetails(.unsupportedMediaType)
        case .busy: .unavailable(retryAfter: 5)
        case .uploadsFull: .unavailable(retryAfter: 60)
        }
    }
}

extension DiskSpace.Low: ProblemConvertible {
    /// 503: photos are rejected until an operator has made room.
    package var problem: ProblemDetails { .unavailable(retryAfter: 60) }
}

extension InboxFilling.Behind: ProblemConvertible {
    /// The problem that stands for the error.
    package var problem: ProblemDetails { .unavailable(.modelBehind) }
}

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

extension FlagService.QuotaUsedUp: ProblemConvertible {
    /// The problem that stands for the error.
    package var problem: ProblemDetails { ProblemDetails(.flagQuota, headers: [.retryAfter: "\(secondsLeft)"]) }
}

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

extension UnverifiedQuota.UsedUp: ProblemConvertible {
    /// The problem that stands for the error. The day ends in 24 hours at most; a client may ask again each hour.
    package var problem: ProblemDetails { ProblemDetails(.unverifiedQuota, headers: [.retryAfter: "3600"]) }
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

extension Passwords.Rejection: ProblemConvertible {
    /// The problem that stands for the error.
    package var problem: ProblemDetails {
        switch self {
        case .wrongPassword: ProblemDetails(.wrongPassword)
        case .code: ProblemDetails(.invalidCode)
        }
    }
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

extension TooManyFavourites: ProblemConvertible {
    /// 409: the account has as many as it may have.
    package var problem: ProblemDetails { ProblemDetails(.tooManyFavourites) }
}

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

extension SessionRejection: ProblemConvertible {
    /// 401, whatever was wrong.
    package var problem: ProblemDetails { ProblemDetails(.wrongCredentials) }
}

extension FairTurns.Full: ProblemConvertible {
    /// 503: too many requests wait for their turn.
    package var problem: ProblemDetails { .unavailable(retryAfter: 2, isOwn: isOwn) }
}

extension MapTimeout: ProblemConvertible {
    /// 503. It counts: whoever asks for such maps again and again occupies the turns of others.
    package var problem: ProblemDetails { .unavailable(isOwn: true) }
}
