package import Domain
import FoundationEssentials

/// Something that was said in a review: a decision, a question, an opinion or a flag, and the text that came with it.
package struct ReviewWord: Sendable {
    /// The kind of text, if there is one.
    package enum Kind: String, Vocabulary {
        /// A moderator's decision or question.
        case note
        /// The owner's words.
        case answer, appeal
        /// On an identification, by the owner or a moderator.
        case remarks
        case flag
    }

    /// The role in which its author spoke.
    package enum Role: String, Vocabulary {
        case owner, moderator
        /// An account that flagged it.
        case account
        /// An import, or the operator, at the command line; in histories.
        case importer, `operator`
    }

    package let kind: Kind
    package let event: HistoryKind
    package private(set) var role: Role
    /// The codes of a rejection, a hiding or a flag.
    package private(set) var reasons: [String] = []
    /// The taxon of an identification, or the one that a flag suggests.
    package private(set) var taxon: TaxonID?
    /// The display name of a moderator; nil for others, and after erasure.
    package internal(set) var name: String?
    /// nil if nothing was written, and after erasure.
    package internal(set) var text: String?
    package let recordedAt: Instant
    /// The version, position, author and command of its event.
    var version = 0
    var position: Int64 = 0
    var actor: UUID?
    var command: UUID?

    private init(_ kind: Kind, _ event: HistoryKind, _ role: Role = .moderator, at moment: Instant) {
        (self.kind, self.event, self.role, recordedAt) = (kind, event, role, moment)
    }

    /// - Returns: nil for an event that belongs to no review, and for a redacted one.
    init?(_ event: SightingEvent, at moment: Instant) {
        switch event {
        case .approved: self.init(.note, .approved, at: moment)
        case .rejected(let payload):
            self.init(.note, .rejected, at: moment)
            reasons = payload.reasons.map(\.rawValue)
        case .secondOpinionAsked(let payload):
            self.init(.note, .secondOpinionAsked, at: moment)
            reasons = payload.reasons.map(\.rawValue)
        case .reopened(let payload):
            // Without a moderator it is the effect of a correction.
            guard payload.review != nil else { return nil }
            self.init(.note, .reopened, at: moment)
        case .questionAsked: self.init(.note, .questionAsked, at: moment)
        case .answered: self.init(.answer, .answered, .owner, at: moment)
        case .appealed: self.init(.appeal, .appealed, .owner, at: moment)
        case .identified(let payload):
            self.init(.remarks, .identified, payload.isModerator ? .moderator : .owner, at: moment)
            taxon = payload.opinionTaxon
        case .hidden(let payload):
            self.init(.note, .hidden, at: moment)
            reasons = [payload.hiding.rawValue]
        case .unhidden: self.init(.note, .unhidden, at: moment)
        case .released: self.init(.note, .released, at: moment)
        case .flagged(let payload): self.init(payload.flag, at: moment)
        case .submitted, .imported, .corrected, .geoprivacyNarrowed, .geoprivacyWidened, .withdrawn, .photosOrdered,
            .payloadRedacted, .redacted:
            return nil
        }
    }

    /// - Returns: nil for an event that belongs to no review, and for a redacted one.
    init?(_ event: PhotoEvent, at moment: Instant) {
        switch event {
        case .approved: self.init(.note, .approved, at: moment)
        case .rejected(let payload):
            self.init(.note, .rejected, at: moment)
            reasons = payload.reasons.map(\.rawValue)
        case .reopened: self.init(.note, .reopened, at: moment)
        case .hidden(let payload):
            self.init(.note, .hidden, at: moment)
            reasons = [payload.hiding.rawValue]
        case .unhidden: self.init(.note, .unhidden, at: moment)
        case .flagged(let payload): self.init(payload.flag, at: moment)
        case .uploaded, .described, .rendered, .deleted, .payloadRedacted, .redacted: return nil
        }
    }

    private init(_ flag: FlagStamp, at moment: Instant) {
        self.init(.flag, .flagged, .account, at: moment)
        (reasons, taxon) = ([flag.reason.rawValue], flag.taxon)
    }
}
