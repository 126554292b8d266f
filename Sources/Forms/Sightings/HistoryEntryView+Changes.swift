import Domain
import FoundationEssentials
package import JSON
import ReadModels
package import Service

/// One event in the life of a sighting: when, by whom, and what changed.
package struct HistoryEntryView: JSONRepresentable {
    /// One member of the representation that changed.
    struct Change: JSONRepresentable {
        let field: String
        let before: JSONValue
        let after: JSONValue

        func write(to writer: inout JSONWriter) {
            writer.object { writer in
                writer.field("field", field)
                writer.field("before", before)
                writer.field("after", after)
            }
        }
    }

    /// When an event was recorded.
    enum Recorded {
        /// For the owner.
        case at(Instant)
        /// For anyone: the UTC day; nil if guarded.
        case on(CivilDate?)
    }

    /// The subject of an event.
    enum Subject {
        case sighting
        /// A photo of the sighting; nil while it is not shown.
        case photo(PhotoID?)
    }

    /// Why it happened.
    enum Cause {
        /// For the owner and moderators: the display name of a moderator, the codes of all reasons, and what was typed.
        case known(name: String?, reasons: [String], note: String?)
        /// For anyone: the code of one reason, where there is one.
        case shown(String?)
    }

    /// The account and the command of an event, for admins.
    struct Origin {
        let account: UUID?
        let command: UUID?
    }

    var subject = Subject.sighting
    let kind: HistoryKind
    /// nil where it may not be shown, as is the time.
    let version: Int?
    let recorded: Recorded
    /// The role: `owner`, `importer`, `operator`, `moderator` (for anyone with the moderator's number) or `account`.
    let by: String
    let cause: Cause
    let changes: [Change]
    /// nil for others than admins.
    var origin: Origin?

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch subject {
            case .sighting:
                writer.field("subject", ReviewItem.Subject.sighting)
                writer.field("photoId", JSONValue.null)
            case .photo(let photo):
                writer.field("subject", ReviewItem.Subject.photo)
                writer.field("photoId", photo)
            }
            writer.field("kind", kind)
            writer.field("version", version)
            switch recorded {
            case .at(let moment): writer.field("recordedAt", moment)
            case .on(let day): writer.field("recordedOn", day)
            }
            writer.field("by", by)
            switch cause {
            case .known(let name, let reasons, let note):
                writer.field("name", name)
                writer.field("reasons", reasons)
                writer.field("note", note)
            case .shown(let reason): writer.field("reason", reason)
            }
            writer.field("changes", changes)
            if let origin {
                writer.field("accountId", origin.account)
                writer.field("commandId", origin.command)
            }
        }
    }
}

extension HistoryEntryView {
    /// An event of a sighting's life for its owner and moderators: every value it changed, exact places and notes
    /// included.
    package init(_ change: FindingChange, forAdmin isForAdmin: Bool = false) {
        let said = change.said
        let reasons = said?.reasons ?? change.withdrawal.map { [$0.rawValue] } ?? []
        self.init(
            subject: change.photo.map { .photo($0) } ?? .sighting, kind: change.kind, version: change.version,
            recorded: .at(change.recordedAt), by: change.role.rawValue,
            cause: .known(name: said?.name, reasons: reasons, note: said?.text),
            changes: change.values.map(Self.changes) ?? [],
            origin: isForAdmin ? Origin(account: change.actor, command: change.command) : nil)
    }

    private static func changes(_ values: FindingChange.Values) -> [Change] {
        var changes = Changes()
        let (row, before) = (values.after, values.before)
        changes.note("taxonId", before?.taxon?.description, row.taxon?.description)
        let (old, new) = (before?.details, row.details)
        changes.note("count", old?.count?.value, new?.count?.value)
        changes.note("confidence", old?.confidence?.value, new?.confidence?.value)
        changes.note("observedAt", old?.observed.value.description, new?.observed.value.description)
        changes.note("latitude", old?.coordinate.latitude, new?.coordinate.latitude)
        changes.note("longitude", old?.coordinate.longitude, new?.coordinate.longitude)
        changes.note("uncertaintyMetres", old?.uncertainty?.value, new?.uncertainty?.value)
        changes.note("state", old?.place.state?.text, new?.place.state?.text)
        changes.note("region", old?.place.region?.text, new?.place.region?.text)
        changes.note("captive", old?.captive, new?.captive)
        changes.note("licence", old?.licence?.rawValue, new?.licence?.rawValue)
        changes.note("geoprivacy", old?.geoprivacy?.rawValue, new?.geoprivacy?.rawValue)
        changes.note("protocol", old?.surveyProtocol?.rawValue, new?.surveyProtocol?.rawValue)
        changes.note("status", before?.status?.rawValue, row.status?.rawValue)
        changes.note("notes", values.notesBefore, values.notes)
        return changes.all
    }

    /// An event of a public history.
    package init(_ event: PublicHistoryEvent) throws {
        switch event {
        case .sighting(let state, let before): try self.init(state, before: before)
        case .photo(let decision): try self.init(decision)
        }
    }

    /// Changes of public values only.
    private init(_ state: PublicState, before: PublicSighting?) throws {
        var changes = Changes()
        let row = state.sighting
        changes.note("taxonId", before?.taxon?.description, row.taxon?.description)
        changes.note("count", before?.count, row.count)
        changes.note("countRange", before?.countRange?.rawValue, row.countRange?.rawValue)
        changes.note("confidence", before?.confidence, row.confidence)
        changes.note("observedAt", before?.observed?.description, row.observed?.description)
        changes.note("latitude", before?.coordinate?.latitude, row.coordinate?.latitude)
        changes.note("longitude", before?.coordinate?.longitude, row.coordinate?.longitude)
        changes.note("state", before?.state?.text, row.state?.text)
        changes.note("region", before?.region?.text, row.region?.text)
        changes.note("captive", before?.captive, row.captive)
        changes.note("licence", before?.licence?.rawValue, row.licence?.rawValue)
        changes.note("status", before?.status?.rawValue, row.status?.rawValue)
        let kind = try row.change.map(Self.kind) ?? .redacted
        self.init(
            subject: .sighting, kind: kind, version: row.version,
            recorded: .on(row.version == nil ? nil : row.recordedAt?.date()),
            by: Self.author(of: state, kind),
            cause: .shown(row.withdrawal?.rawValue ?? row.rejection?.rawValue), changes: changes.all)
    }

    private static func author(of state: PublicState, _ kind: HistoryKind) -> String {
        if let number = state.moderator { return "moderator \(number)" }
        // The observer's correction reopened it.
        if kind == .reopened, state.sighting.version != nil { return "owner" }
        return kind.author(isImported: state.sighting.dataset != nil)
    }

    private init(_ decision: PublicPhotoDecision) throws {
        guard let kind = try PhotoEvent.description(of: decision.change).historyKind else {
            throw PayloadFault.unknownType(decision.change)
        }
        self.init(
            subject: .photo(decision.photo), kind: kind, version: nil, recorded: .on(decision.recordedAt.date()),
            by: "moderator \(decision.moderator)", cause: .shown(decision.reason), changes: [])
    }

    /// - Throws: `PayloadFault.unknownType` for an event that no history shows.
    private static func kind(of type: String) throws -> HistoryKind {
        guard let kind = try SightingEvent.description(of: type).historyKind else {
            throw PayloadFault.unknownType(type)
        }
        return kind
    }

    /// Collects what differs.
    private struct Changes {
        var all: [Change] = []

        mutating func note(_ field: String, _ before: String?, _ after: String?) {
            note(field, before.map(JSONValue.string), after.map(JSONValue.string))
        }

        mutating func note(_ field: String, _ before: Int?, _ after: Int?) {
            note(field, before.map(JSONValue.integer), after.map(JSONValue.integer))
        }

        mutating func note(_ field: String, _ before: Double?, _ after: Double?) {
            note(field, before.map(JSONValue.number), after.map(JSONValue.number))
        }

        mutating func note(_ field: String, _ before: Bool?, _ after: Bool?) {
            note(field, before.map(JSONValue.boolean), after.map(JSONValue.boolean))
        }

        private mutating func note(_ field: String, _ before: JSONValue?, _ after: JSONValue?) {
            guard before != after else { return }
            all.append(Change(field: field, before: before ?? .null, after: after ?? .null))
        }
    }
}

extension HistoryKind {
    /// The role in which such an event is recorded. A sighting is reopened by its owner's correction or by a moderator.
    fileprivate func author(isImported: Bool) -> String {
        switch self {
        case .submitted, .corrected, .geoprivacyChanged, .withdrawn, .redacted, .identified, .answered, .appealed,
            .photosOrdered, .imported:
            isImported ? "importer" : "owner"
        case .approved, .rejected, .reopened, .hidden, .unhidden, .released, .secondOpinionAsked, .questionAsked:
            "moderator"
        case .flagged: "account"
        }
    }
}
