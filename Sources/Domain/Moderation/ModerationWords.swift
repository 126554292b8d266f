/// A moderator's reason for rejecting a sighting.
package enum SightingReason: String, Vocabulary {
    case notTheSpecies = "not-the-species"
    case cannotBeTold = "cannot-be-told"
    case wrongPlace = "wrong-place"
    case wrongDate = "wrong-date"
    case outOfRange = "out-of-range"
    case duplicateRecord = "duplicate-record"
    /// The note says why.
    case other
}

/// A moderator's reason for rejecting a photo.
package enum PhotoReason: String, Vocabulary {
    case unreadable
    case notOwnWork = "not-own-work"
    case noWildlife = "no-wildlife"
    case inappropriate
    case duplicate
    case personRecognisable = "person-recognisable"
    case notThisSighting = "not-this-sighting"
    /// The note says why.
    case other

    /// The reason for which a photo rejected for this is hidden; nil if it is not.
    package var hiding: HidingReason? {
        switch self {
        case .notOwnWork: .notOwnWork
        case .inappropriate: .inappropriate
        case .personRecognisable: .personRecognisable
        case .unreadable, .noWildlife, .duplicate, .notThisSighting, .other: nil
        }
    }
}

/// A moderator's reason for hiding a photo or a text.
package enum HidingReason: String, Vocabulary {
    case notOwnWork = "not-own-work"
    case inappropriate
    case personRecognisable = "person-recognisable"
    case personalData = "personal-data"
    case other
}

/// The reason for a flag on a sighting or a photo.
package enum FlagReason: String, Vocabulary {
    case wrongTaxon = "wrong-taxon"
    case wrongPlace = "wrong-place"
    case wrongDate = "wrong-date"
    /// Kept or planted by people.
    case notWild = "not-wild"
    case duplicate
    case notOwnWork = "not-own-work"
    case inappropriate
    case personRecognisable = "person-recognisable"
    case other
}

/// A moderator's decision.
package enum ReviewDecision: String, Vocabulary {
    case approve, reject, reopen
    /// Puts a question to the observer.
    case ask
}
