package import Domain
package import FoundationEssentials
import ReadModels

/// One event in the life of a sighting or of one of its photos, as someone may see it: when, by whom, what changed.
package struct HistoryEntry: Hashable, Sendable {
    /// A value that a sighting has or had.
    package enum Value: Hashable, Sendable {
        case text(String)
        case integer(Int)
        case number(Double)
        case flag(Bool)
    }

    /// One value that changed; nil where there was or is none.
    package struct Change: Hashable, Sendable {
        /// Its name in the API.
        package let field: String
        package let before: Value?
        package let after: Value?
    }

    /// When an event was recorded.
    package enum Recorded: Hashable, Sendable {
        /// For the owner.
        case at(Instant)
        /// For anyone: the UTC day; nil if guarded.
        case on(CivilDate?)
    }

    /// The subject of an event.
    package enum Subject: Hashable, Sendable {
        case sighting
        /// A photo of the sighting; nil while it is not shown.
        case photo(PhotoID?)
    }

    /// Why it happened.
    package enum Cause: Hashable, Sendable {
        /// For the owner and moderators: the display name of a moderator, the codes of all reasons, and what was typed.
        case known(name: String?, reasons: [String], note: String?)
        /// For anyone: the code of one reason, where there is one.
        case shown(String?)
    }

    /// The account and the command of an event, for admins.
    package struct Origin: Hashable, Sendable {
        package let account: UUID?
        package let command: UUID?
    }

    package private(set) var subject = Subject.sighting
    package let kind: HistoryKind
    /// nil where it may not be shown, as is the time.
    package let version: Int?
    package let recorded: Recorded
    /// The role: `owner`, `importer`, `operator`, `moderator` (for anyone with the moderator's number) or `account`.
    package let by: String
    package let cause: Cause
    package let changes: [Change]
    /// nil for others than admins.
    package private(set) var origin: Origin?
}

extension HistoryEntry {
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
    /// - Throws: `PayloadFault` for an event that no history shows.
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
            note(field, before.map(Value.text), after.map(Value.text))
        }

        mutating func note(_ field: String, _ before: Int?, _ after: Int?) {
            note(field, before.map(Value.integer), after.map(Value.integer))
        }

        mutating func note(_ field: String, _ before: Double?, _ after: Double?) {
            note(field, before.map(Value.number), after.map(Value.number))
        }

        mutating func note(_ field: String, _ before: Bool?, _ after: Bool?) {
            note(field, before.map(Value.flag), after.map(Value.flag))
        }

        private mutating func note(_ field: String, _ before: Value?, _ after: Value?) {
            guard before != after else { return }
            all.append(Change(field: field, before: before, after: after))
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
