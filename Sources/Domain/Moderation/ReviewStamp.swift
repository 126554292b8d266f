/// The author of a moderator's decision, and the batch that it was sent in.
package struct ReviewStamp: Hashable, Sendable {
    package var moderator: AccountID
    /// nil for a decision sent alone.
    package var batch: DecisionBatchID?
    /// The version of the stream whose review holds again, because the decision undoes one of a batch; nil for any
    /// other decision.
    package var restores: Int?
    /// The fields that were written beside the log.
    package var content: [ContentField]

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

    init(_ reader: PayloadReader) throws(PayloadFault) {
        moderator = try reader.required("moderator")
        batch = try reader.optional("decisionBatch")
        restores = try reader.integer(ifPresent: "restores")
        content = try reader.list("content")
    }

    func write(fields writer: inout PayloadWriter) {
        writer.field("moderator", moderator)
        writer.field("decisionBatch", batch)
        writer.field("restores", integer: restores)
        writer.field("content", content)
    }
}

/// A payload with nothing but the author of a decision.
protocol ReviewPayload: EventPayload {
    var review: ReviewStamp { get }
    init(review: ReviewStamp)
}

extension ReviewPayload {
    init(_ reader: PayloadReader) throws(PayloadFault) {
        self.init(review: try ReviewStamp(reader))
    }

    package func write(fields writer: inout PayloadWriter) {
        review.write(fields: &writer)
    }
}

/// A payload with the author of a decision and its reasons.
protocol ReasonsPayload<Reason>: EventPayload {
    associatedtype Reason: Vocabulary
    var review: ReviewStamp { get }
    var reasons: [Reason] { get }
    init(review: ReviewStamp, reasons: [Reason])
}

extension ReasonsPayload {
    init(_ reader: PayloadReader) throws(PayloadFault) {
        self.init(review: try ReviewStamp(reader), reasons: try reader.list("reasons"))
    }

    package func write(fields writer: inout PayloadWriter) {
        review.write(fields: &writer)
        writer.field("reasons", reasons)
    }
}

/// One account's flag. The note is beside the log.
package struct FlagStamp: Hashable, Sendable {
    package var by: AccountID
    package var reason: FlagReason
    /// The taxon that the account suggests.
    package var taxon: TaxonID?
    /// The fields that were written beside the log.
    package var content: [ContentField]

    package init(by account: AccountID, reason: FlagReason, taxon: TaxonID? = nil, content: [ContentField] = []) {
        by = account
        self.reason = reason
        self.taxon = taxon
        self.content = content
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        by = try reader.required("by")
        reason = try reader.required("flag")
        taxon = try reader.optional("suggestedTaxon")
        content = try reader.list("content")
    }

    func write(fields writer: inout PayloadWriter) {
        writer.field("by", by)
        writer.field("flag", reason)
        writer.field("suggestedTaxon", taxon)
        writer.field("content", content)
    }
}

/// A payload with nothing but a flag.
protocol FlagPayload: EventPayload {
    var flag: FlagStamp { get }
    init(flag: FlagStamp)
}

extension FlagPayload {
    init(_ reader: PayloadReader) throws(PayloadFault) {
        self.init(flag: try FlagStamp(reader))
    }

    package func write(fields writer: inout PayloadWriter) {
        flag.write(fields: &writer)
    }
}
