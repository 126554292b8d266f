/// Why a photo is rejected, apart from the rules of its stream.
package enum PhotoRefusal: Error, Equatable, Sendable {
    /// The sighting has ten photos, or has had a hundred.
    case tooMany
    /// The account's quota of the day (UTC) is used up.
    case quota(secondsLeft: Int)
    /// The account has as many incomplete uploads as it may.
    case tooManyUploads
    /// Its bytes are truncated or damaged.
    case unreadable
    case tooManyPixels
    /// Neither JPEG, PNG, WebP nor HEIC.
    case unsupportedType
    /// Too many photos are waiting to be rendered.
    case busy

    /// Whether the same photo is rejected again later.
    var isFinal: Bool {
        switch self {
        case .tooMany, .tooManyUploads, .unreadable, .tooManyPixels, .unsupportedType: true
        case .quota, .busy: false
        }
    }
}
