package import Domain
import HTTPTypes
package import Service
package import Web

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

extension SentPhotoRejection: ProblemConvertible {
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

extension DiskSpace.Rejection: ProblemConvertible {
    /// 503: photos are rejected until an operator has made room.
    package var problem: ProblemDetails { .unavailable(retryAfter: 60) }
}

extension UploadRejection: ProblemConvertible {
    /// The problem that stands for the error.
    package var problem: ProblemDetails {
        switch self {
        case .mismatchingOffset(let expected, let provided):
            ProblemDetails(
                .mismatchingUploadOffset, detail: "\(expected) bytes have arrived, not \(provided).",
                headers: [.uploadOffset: "\(expected)", .uploadComplete: "?0"])
        case .completed: ProblemDetails(.completedUpload, headers: [.uploadComplete: "?1"])
        case .inconsistentLength: ProblemDetails(.inconsistentUploadLength)
        case .superseded: ProblemDetails(.conflict)
        case .ended: ProblemDetails(.gone, detail: "The upload was ended to make room for others. Begin it again.")
        }
    }
}
