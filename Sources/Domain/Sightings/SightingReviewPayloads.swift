/// A moderator approved a sighting.
package struct SightingApproved: EventPayload {
    package static let type = "SightingApproved"
    package var review: ReviewStamp

    static let shape = Shape<Self>(Self.init, .flat(\.review))
}

/// A sighting is to be reviewed again: a moderator reopened it, what had been judged was changed, or the import that
/// had changed its review is undone.
package struct SightingReopened: EventPayload {
    package static let type = "SightingReopened"
    /// nil if a correction reopened it, or the undoing of an import.
    package var review: ReviewStamp?
    /// Without a review: the version of the stream whose state holds again, because an import is undone.
    package var restores: Int?

    // `restores` belongs to the review if there is one.
    static let shape = Shape<Self>(
        read: { reader throws(PayloadFault) in
            guard reader.has("moderator") else { return Self(restores: try reader.integer(ifPresent: "restores")) }
            return Self(review: try ReviewStamp.shape.read(reader))
        },
        write: { payload, writer in
            if let review = payload.review { ReviewStamp.shape.write(review, &writer) }
            writer.field("restores", integer: payload.restores)
        })
}

/// A moderator rejected a sighting.
package struct SightingRejected: EventPayload {
    package static let type = "SightingRejected"
    package var review: ReviewStamp
    package var reasons: [SightingReason]

    static let shape = Shape<Self>(Self.init, .flat(\.review), .list("reasons", \.reasons))
}

/// A moderator would reject a sighting; another one has to agree.
package struct SightingSecondOpinionAsked: EventPayload {
    package static let type = "SightingSecondOpinionAsked"
    package var review: ReviewStamp
    package var reasons: [SightingReason]

    static let shape = Shape<Self>(Self.init, .flat(\.review), .list("reasons", \.reasons))
}

/// A moderator asked the observer a question.
package struct SightingQuestionAsked: EventPayload {
    package static let type = "SightingQuestionAsked"
    package var review: ReviewStamp
    /// The sighting is out of the queue until then, or until the answer.
    package var parkedUntil: Instant

    static let shape = Shape<Self>(Self.init, .flat(\.review), .required("parkedUntil", \.parkedUntil))
}

/// The observer answered a question. The answer is beside the log.
package struct SightingAnswered: EventPayload {
    package static let type = "SightingAnswered"
    package var content: [ContentField]

    static let shape = Shape<Self>(Self.init, .list("content", \.content))
}

/// The observer appealed against a rejection. The grounds are beside the log.
package struct SightingAppealed: EventPayload {
    package static let type = "SightingAppealed"
    package var content: [ContentField]

    static let shape = Shape<Self>(Self.init, .list("content", \.content))
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

    static let shape = Shape<Self>(
        Self.init,
        .required("by", \.by),
        .required("isModerator", \.isModerator),
        .optional("opinionTaxon", \.opinionTaxon),
        .optional("opinionQualifier", \.opinionQualifier),
        .flat(\.identification),
        .list("content", \.content))
}

extension SightingIdentified {
    init(_ command: IdentifySighting, _ changes: IdentificationChanges, content: [ContentField]) {
        by = command.by
        isModerator = command.isModerator
        opinionTaxon = command.identification.taxon
        opinionQualifier = command.identification.qualifier
        identification = changes
        self.content = content
    }
}

/// A moderator hid texts of a sighting from everyone but its owner and moderators.
package struct SightingHidden: EventPayload {
    package static let type = "SightingHidden"
    package var review: ReviewStamp
    package var hiding: HidingReason
    /// All fields that are hidden from now on.
    package var fields: [ContentField]

    static let shape = Shape<Self>(
        Self.init,
        .flat(\.review),
        .required("hiding", \.hiding),
        .list("hidden", \.fields))
}

/// A moderator showed the hidden texts of a sighting again.
package struct SightingUnhidden: EventPayload {
    package static let type = "SightingUnhidden"
    package var review: ReviewStamp

    static let shape = Shape<Self>(Self.init, .flat(\.review))
}

/// A moderator set the sensitivity category that a sighting inherits from its identifications.
package struct SightingReleased: EventPayload {
    package static let type = "SightingReleased"
    package var review: ReviewStamp
    /// The category from now on; nil for none.
    package var released: SensitivityCategory?

    static let shape = Shape<Self>(Self.init, .flat(\.review), .optional("released", \.released))
}

/// An account says that something is wrong with a sighting.
package struct SightingFlagged: EventPayload {
    package static let type = "SightingFlagged"
    package var flag: FlagStamp

    static let shape = Shape<Self>(Self.init, .flat(\.flag))
}

/// The observer put the photos of a sighting in order.
package struct SightingPhotosOrdered: EventPayload {
    package static let type = "SightingPhotosOrdered"
    package var photos: [PhotoID]

    static let shape = Shape<Self>(Self.init, .list("photos", \.photos))
}
