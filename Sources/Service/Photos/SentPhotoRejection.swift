/// Why a photo is rejected, apart from the rules of its stream.
package enum SentPhotoRejection: Error, Equatable, Sendable {
    /// The sighting has ten photos, or has had a hundred.
    case tooMany
    /// The account's quota of the day (UTC) is used up.
    case quota(secondsLeft: Int)
    /// The account has as many unfinished uploads as it may.
    case tooManyUploads
    /// All accounts together have as many bytes in unfinished uploads as they may.
    case uploadsFull
    /// Its bytes are truncated or damaged.
    case unreadable
    case tooManyPixels
    /// It has more scans, segments, frames or tiles than a photo needs.
    case tooManyParts
    /// Neither JPEG, PNG, WebP nor HEIC.
    case unsupportedType
    /// Another request finishes the same upload, or rendering took too long on an overloaded machine.
    case busy

    /// Whether the same photo is rejected again later.
    var isFinal: Bool {
        switch self {
        case .tooMany, .tooManyUploads, .unreadable, .tooManyPixels, .tooManyParts, .unsupportedType: true
        case .quota, .busy, .uploadsFull: false
        }
    }
}
