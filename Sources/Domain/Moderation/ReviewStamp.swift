/// The author of a moderator's decision, and the batch that it was sent in.
package struct ReviewStamp: Hashable, Sendable {
    package var moderator: AccountID
    /// nil for a decision of its own.
    package var batch: DecisionBatchID?
    /// The fields that were written beside the log.
    package var content: [ContentField]

    package init(moderator: AccountID, batch: DecisionBatchID? = nil, content: [ContentField] = []) {
        self.moderator = moderator
        self.batch = batch
        self.content = content
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        moderator = try reader.required("moderator")
        batch = try reader.optional("decisionBatch")
        content = try reader.list("content")
    }

    func write(fields writer: inout PayloadWriter) {
        writer.field("moderator", moderator)
        writer.field("decisionBatch", batch)
        writer.field("content", content)
    }
}

/// A payload that says no more than who decided.
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

/// One person's flag. The note is beside the log.
package struct FlagStamp: Hashable, Sendable {
    package var by: AccountID
    package var reason: FlagReason
    /// The taxon that the person takes it for.
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
