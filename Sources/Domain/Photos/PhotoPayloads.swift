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

    init(_ command: UploadPhoto, content: [ContentField]) {
        sighting = command.sighting
        observer = command.observer
        ordinal = command.ordinal
        image = command.image
        licence = command.licence
        resembles = command.resembles
        self.content = content
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        sighting = try reader.required("sighting")
        observer = try reader.required("observer")
        ordinal = try reader.integer("ordinal")
        image = try PhotoImage(reader)
        licence = try reader.required("licence")
        resembles = try reader.list("resembles")
        content = try reader.list("content")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("sighting", sighting)
        writer.field("observer", observer)
        writer.field("ordinal", integer: ordinal)
        image.write(fields: &writer)
        writer.field("licence", licence)
        writer.field("resembles", resembles)
        writer.field("content", content)
    }
}

/// The alternative text or the licence of a photo changed.
package struct PhotoDescribed: EventPayload {
    package static let type = "PhotoDescribed"
    package var licence: Licence?
    /// The fields that were written beside the log.
    package var content: [ContentField]

    init(licence: Licence?, content: [ContentField]) {
        self.licence = licence
        self.content = content
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        licence = try reader.optional("licence")
        content = try reader.list("content")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("licence", licence)
        writer.field("content", content)
    }
}

/// A moderator approved a photo.
package struct PhotoApproved: EventPayload, ReviewPayload {
    package static let type = "PhotoApproved"
    package var review: ReviewStamp
}

/// A moderator rejected a photo.
package struct PhotoRejected: EventPayload, ReasonsPayload {
    package static let type = "PhotoRejected"
    package var review: ReviewStamp
    package var reasons: [PhotoReason]
}

/// A photo is to be reviewed again.
package struct PhotoReopened: EventPayload, ReviewPayload {
    package static let type = "PhotoReopened"
    package var review: ReviewStamp
}

/// A moderator hid a photo from everyone but its owner and moderators.
package struct PhotoHidden: EventPayload {
    package static let type = "PhotoHidden"
    package var review: ReviewStamp
    package var hiding: HidingReason

    init(review: ReviewStamp, hiding: HidingReason) {
        self.review = review
        self.hiding = hiding
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        review = try ReviewStamp(reader)
        hiding = try reader.required("hiding")
    }

    package func write(fields writer: inout PayloadWriter) {
        review.write(fields: &writer)
        writer.field("hiding", hiding)
    }
}

/// A moderator showed a hidden photo again.
package struct PhotoUnhidden: EventPayload, ReviewPayload {
    package static let type = "PhotoUnhidden"
    package var review: ReviewStamp
}

/// An account says that something is wrong with a photo.
package struct PhotoFlagged: EventPayload, FlagPayload {
    package static let type = "PhotoFlagged"
    package var flag: FlagStamp
}

/// The renditions of a photo were made again.
package struct PhotoRendered: EventPayload {
    package static let type = "PhotoRendered"
    package var renditions: [PhotoRendition]
    /// As of the image; empty where the photo shows too little, or an earlier version made them: then it keeps those it
    /// had.
    package var likeness: [LikenessHash]

    init(renditions: [PhotoRendition], likeness: [LikenessHash]) {
        self.renditions = renditions
        self.likeness = likeness
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        renditions = try reader.list("renditions")
        likeness = try reader.list("likeness")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("renditions", renditions)
        writer.field("likeness", likeness)
    }
}

/// Its owner deleted a photo.
package struct PhotoDeleted: EventPayload {
    package static let type = "PhotoDeleted"

    init() {}

    init(_: PayloadReader) throws(PayloadFault) {}

    package func write(fields _: inout PayloadWriter) {}
}
