/// How far a sighting has come.
package enum SightingStatus: String, Vocabulary {
    /// Submitted, and not decided about.
    case pending
    case approved
    case rejected
    case withdrawn
    /// Imported: its source answers for it.
    case acceptedBySource = "accepted-by-source"
}

/// Why a sighting was withdrawn.
package enum WithdrawalReason: String, Vocabulary {
    /// Its observer says that it was wrong.
    case mistake
    /// Its observer does not want it known.
    case privacy
    /// Its row is no longer in the source.
    case vanished
    /// The import that brought it was undone.
    case undone

    /// Whether the withdrawal acts on answers about earlier positions too.
    package var isRestriction: Bool { self == .privacy }
}
