/// A moderator approved a sighting.
package struct SightingApproved: EventPayload, ReviewPayload {
    package static let type = "SightingApproved"
    package var review: ReviewStamp
}

/// A sighting is to be reviewed again: a moderator reopened it, what had been judged was changed, or the import that
/// had changed its review is undone.
package struct SightingReopened: EventPayload {
    package static let type = "SightingReopened"
    /// nil if a correction reopened it, or the undoing of an import.
    package var review: ReviewStamp?
    /// Without a review: the version of the stream whose state holds again, because an import is undone.
    package var restores: Int?

    init(review: ReviewStamp?, restores: Int? = nil) {
        self.review = review
        self.restores = restores
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        review = reader.has("moderator") ? try ReviewStamp(reader) : nil
        restores = review == nil ? try reader.integer(ifPresent: "restores") : nil
    }

    package func write(fields writer: inout PayloadWriter) {
        review?.write(fields: &writer)
        writer.field("restores", integer: restores)
    }
}

/// A moderator rejected a sighting.
package struct SightingRejected: EventPayload, ReasonsPayload {
    package static let type = "SightingRejected"
    package var review: ReviewStamp
    package var reasons: [SightingReason]
}

/// A moderator would reject a sighting; another one has to agree.
package struct SightingSecondOpinionAsked: EventPayload, ReasonsPayload {
    package static let type = "SightingSecondOpinionAsked"
    package var review: ReviewStamp
    package var reasons: [SightingReason]
}

/// A moderator asked the observer a question.
package struct SightingQuestionAsked: EventPayload {
    package static let type = "SightingQuestionAsked"
    package var review: ReviewStamp
    /// The sighting is out of the queue until then, or until the answer.
    package var parkedUntil: Instant

    init(review: ReviewStamp, parkedUntil: Instant) {
        self.review = review
        self.parkedUntil = parkedUntil
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        review = try ReviewStamp(reader)
        parkedUntil = try reader.required("parkedUntil")
    }

    package func write(fields writer: inout PayloadWriter) {
        review.write(fields: &writer)
        writer.field("parkedUntil", parkedUntil)
    }
}

/// The observer answered a question. The answer is beside the log.
package struct SightingAnswered: EventPayload, ContentPayload {
    package static let type = "SightingAnswered"
    package var content: [ContentField]
}

/// The observer appealed against a rejection. The grounds are beside the log.
package struct SightingAppealed: EventPayload, ContentPayload {
    package static let type = "SightingAppealed"
    package var content: [ContentField]
}

/// A payload with nothing but the fields that were written beside the log.
protocol ContentPayload: EventPayload {
    var content: [ContentField] { get }
    init(content: [ContentField])
}

extension ContentPayload {
    init(_ reader: PayloadReader) throws(PayloadFault) {
        self.init(content: try reader.list("content"))
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("content", content)
    }
}

/// The observer or a moderator identified a sighting.
package struct SightingIdentified: EventPayload {
    package static let type = "SightingIdentified"
    package var by: AccountID
    package var isModerator: Bool
    /// The identification that was given.
    package var opinionTaxon: TaxonID?
    package var opinionQualifier: TaxonQualifier?
    /// The changes to the accepted identification; only the sensitivity if the given one is not accepted.
    package var identification: IdentificationChanges
    /// The fields that were written beside the log.
    package var content: [ContentField]

    init(_ command: IdentifySighting, _ changes: IdentificationChanges, content: [ContentField]) {
        by = command.by
        isModerator = command.isModerator
        opinionTaxon = command.identification.taxon
        opinionQualifier = command.identification.qualifier
        identification = changes
        self.content = content
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        by = try reader.required("by")
        isModerator = try reader.required("isModerator")
        opinionTaxon = try reader.optional("opinionTaxon")
        opinionQualifier = try reader.optional("opinionQualifier")
        identification = try IdentificationChanges(reader)
        content = try reader.list("content")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("by", by)
        writer.field("isModerator", isModerator)
        writer.field("opinionTaxon", opinionTaxon)
        writer.field("opinionQualifier", opinionQualifier)
        identification.write(fields: &writer)
        writer.field("content", content)
    }
}

/// A moderator hid texts of a sighting from everyone but its owner and moderators.
package struct SightingHidden: EventPayload {
    package static let type = "SightingHidden"
    package var review: ReviewStamp
    package var hiding: HidingReason
    /// All fields that are hidden from now on.
    package var fields: [ContentField]

    init(review: ReviewStamp, hiding: HidingReason, fields: [ContentField]) {
        self.review = review
        self.hiding = hiding
        self.fields = fields
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        review = try ReviewStamp(reader)
        hiding = try reader.required("hiding")
        fields = try reader.list("hidden")
    }

    package func write(fields writer: inout PayloadWriter) {
        review.write(fields: &writer)
        writer.field("hiding", hiding)
        writer.field("hidden", fields)
    }
}

/// A moderator showed the hidden texts of a sighting again.
package struct SightingUnhidden: EventPayload, ReviewPayload {
    package static let type = "SightingUnhidden"
    package var review: ReviewStamp
}

/// A moderator set the sensitivity category that a sighting inherits from its identifications.
package struct SightingReleased: EventPayload {
    package static let type = "SightingReleased"
    package var review: ReviewStamp
    /// The category from now on; nil for none.
    package var released: SensitivityCategory?

    init(review: ReviewStamp, released: SensitivityCategory?) {
        self.review = review
        self.released = released
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        review = try ReviewStamp(reader)
        released = try reader.optional("released")
    }

    package func write(fields writer: inout PayloadWriter) {
        review.write(fields: &writer)
        writer.field("released", released)
    }
}

/// An account says that something is wrong with a sighting.
package struct SightingFlagged: EventPayload, FlagPayload {
    package static let type = "SightingFlagged"
    package var flag: FlagStamp
}

/// The observer put the photos of a sighting in order.
package struct SightingPhotosOrdered: EventPayload {
    package static let type = "SightingPhotosOrdered"
    package var photos: [PhotoID]

    init(photos: [PhotoID]) {
        self.photos = photos
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        photos = try reader.list("photos")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("photos", photos)
    }
}
