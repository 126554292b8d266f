/// A moderator restores the state before a decision of a batch.
package struct RestoreDecision: Equatable, Sendable {
    package var moderator: AccountID
    package var batch: DecisionBatchID

    package init(moderator: AccountID, batch: DecisionBatchID) {
        self.moderator = moderator
        self.batch = batch
    }
}

/// An account says that something is wrong.
package struct RaiseFlag: Equatable, Sendable {
    package var by: AccountID
    package var reason: FlagReason
    package var taxon: TaxonID?
    package var note: Remarks?

    package init(by account: AccountID, reason: FlagReason, taxon: TaxonID? = nil, note: Remarks? = nil) {
        by = account
        self.reason = reason
        self.taxon = taxon
        self.note = note
    }

    /// The stamp for the log, and the write of the note beside it.
    var recorded: (stamp: FlagStamp, content: [ContentWrite]) {
        let content = ContentWrite.optional(.flagNote, note)
        return (FlagStamp(by: by, reason: reason, taxon: taxon, content: content.map(\.field)), content)
    }
}
