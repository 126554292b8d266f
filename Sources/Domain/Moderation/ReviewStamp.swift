/// The author of a moderator's decision, and the batch that it was sent in.
package struct ReviewStamp: PayloadPart, Hashable {
    package var moderator: AccountID
    /// nil for a decision sent alone.
    package var batch: DecisionBatchID?
    /// The version of the stream whose review holds again, because the decision undoes one of a batch; nil for any
    /// other decision.
    package var restores: Int?
    /// The fields that were written beside the log.
    package var content: [ContentField]

    static let shape = Shape<Self>(
        Self.init,
        .required("moderator", \.moderator),
        .optional("decisionBatch", \.batch),
        .integer("restores", ifPresent: \.restores),
        .list("content", \.content))

    package init(
        moderator: AccountID, batch: DecisionBatchID? = nil, restores: Int? = nil, content: [ContentField] = []
    ) {
        self.moderator = moderator
        self.batch = batch
        self.restores = restores
        self.content = content
    }

    /// The stamp of a decision with a note.
    /// - Returns: also the write of the note beside the log.
    static func noting(
        _ note: Remarks?, by moderator: AccountID, batch: DecisionBatchID? = nil
    ) -> (stamp: ReviewStamp, content: [ContentWrite]) {
        let content = ContentWrite.optional(.decisionNote, note)
        return (ReviewStamp(moderator: moderator, batch: batch, content: content.map(\.field)), content)
    }
}

/// One account's flag. The note is beside the log.
package struct FlagStamp: PayloadPart, Hashable {
    package var by: AccountID
    package var reason: FlagReason
    /// The taxon that the account suggests.
    package var taxon: TaxonID?
    /// The fields that were written beside the log.
    package var content: [ContentField]

    static let shape = Shape<Self>(
        Self.init,
        .required("by", \.by),
        .required("flag", \.reason),
        .optional("suggestedTaxon", \.taxon),
        .list("content", \.content))

    package init(by account: AccountID, reason: FlagReason, taxon: TaxonID? = nil, content: [ContentField] = []) {
        by = account
        self.reason = reason
        self.taxon = taxon
        self.content = content
    }
}
