/// An observer added a photo to a sighting. The alternative text and the capture's time and place are beside the log.
package struct PhotoUploaded: EventPayload {
    package static let type = "PhotoUploaded"
    package var sighting: SightingID
    package var observer: AccountID
    /// The number of photos that the sighting had before, deleted ones included.
    package var ordinal: Int
    package var image: PhotoImage
    package var licence: Licence
    /// Photos that look nearly the same.
    package var resembles: [PhotoID]
    /// The fields that were written beside the log.
    package var content: [ContentField]

    static let shape = Shape<Self>(
        Self.init,
        .required("sighting", \.sighting),
        .required("observer", \.observer),
        .integer("ordinal", \.ordinal),
        .flat(\.image),
        .required("licence", \.licence),
        .list("resembles", \.resembles),
        .list("content", \.content))
}

extension PhotoUploaded {
    init(_ command: UploadPhoto, content: [ContentField]) {
        sighting = command.sighting
        observer = command.observer
        ordinal = command.ordinal
        image = command.image
        licence = command.licence
        resembles = command.resembles
        self.content = content
    }
}

/// The alternative text or the licence of a photo changed.
package struct PhotoDescribed: EventPayload {
    package static let type = "PhotoDescribed"
    package var licence: Licence?
    /// The fields that were written beside the log.
    package var content: [ContentField]

    static let shape = Shape<Self>(Self.init, .optional("licence", \.licence), .list("content", \.content))
}

/// A moderator approved a photo.
package struct PhotoApproved: EventPayload {
    package static let type = "PhotoApproved"
    package var review: ReviewStamp

    static let shape = Shape<Self>(Self.init, .flat(\.review))
}

/// A moderator rejected a photo.
package struct PhotoRejected: EventPayload {
    package static let type = "PhotoRejected"
    package var review: ReviewStamp
    package var reasons: [PhotoReason]

    static let shape = Shape<Self>(Self.init, .flat(\.review), .list("reasons", \.reasons))
}

/// A photo is to be reviewed again.
package struct PhotoReopened: EventPayload {
    package static let type = "PhotoReopened"
    package var review: ReviewStamp

    static let shape = Shape<Self>(Self.init, .flat(\.review))
}

/// A moderator hid a photo from everyone but its owner and moderators.
package struct PhotoHidden: EventPayload {
    package static let type = "PhotoHidden"
    package var review: ReviewStamp
    package var hiding: HidingReason

    static let shape = Shape<Self>(Self.init, .flat(\.review), .required("hiding", \.hiding))
}

/// A moderator showed a hidden photo again.
package struct PhotoUnhidden: EventPayload {
    package static let type = "PhotoUnhidden"
    package var review: ReviewStamp

    static let shape = Shape<Self>(Self.init, .flat(\.review))
}

/// An account says that something is wrong with a photo.
package struct PhotoFlagged: EventPayload {
    package static let type = "PhotoFlagged"
    package var flag: FlagStamp

    static let shape = Shape<Self>(Self.init, .flat(\.flag))
}

/// The renditions of a photo were made again.
package struct PhotoRendered: EventPayload {
    package static let type = "PhotoRendered"
    package var renditions: [PhotoRendition]
    /// The hashes of the image. Empty if the photo shows too little, or if an earlier version rendered it; the photo
    /// then keeps the hashes it had.
    package var likeness: [LikenessHash]

    static let shape = Shape<Self>(
        Self.init,
        .list("renditions", \.renditions),
        .list("likeness", \.likeness))
}

/// Its owner deleted a photo.
package struct PhotoDeleted: EventPayload {
    package static let type = "PhotoDeleted"
    static let shape = Shape<Self>(Self.init)
}
