package import Domain
import EventLog
package import FoundationEssentials
package import ReadModels
import Vault

/// One event in the life of a sighting or of one of its photos, for its owner and for moderators.
package struct FindingChange: Sendable {
    /// A sighting after an event and before it.
    package struct Values: Sendable {
        package let after: ExactSighting
        /// nil for the first event.
        package let before: ExactSighting?
        /// nil for none.
        package let notes: String?
        package let notesBefore: String?
    }

    /// nil for an event of the sighting itself.
    package let photo: PhotoID?
    package let kind: HistoryKind
    /// The version of the sighting, or of the photo.
    package let version: Int
    package let recordedAt: Instant
    package let role: ReviewWord.Role
    /// The words of its author; nil outside reviews, and for an owner about the flags of others.
    package let said: ReviewWord?
    /// Why the sighting was withdrawn.
    package var withdrawal: WithdrawalReason? { kind == .withdrawn ? values?.after.withdrawal : nil }
    /// nil for an event of a photo.
    package let values: Values?
    /// The account that caused it; nil for the operator, and for an owner who was erased.
    package private(set) var actor: UUID?
    /// nil for an event that is not the first of its command.
    package private(set) var command: UUID?
    fileprivate let position: Int64

    /// Without the account that caused it, and its command.
    fileprivate var withoutOrigin: FindingChange {
        var change = self
        (change.actor, change.command) = (nil, nil)
        return change
    }
}

extension FindingReader {
    /// Those who may read a history with exact places.
    package enum Viewer: Sendable {
        case owner(AccountID)
        case moderator
    }

    /// Every event of a sighting, and every decision on those of its photos that are not deleted, oldest first.
    /// - Throws: ``CommandError/notFound``; what the database throws.
    package func history(of id: SightingID, for viewer: Viewer) async throws -> [FindingChange] {
        let states = try await queries.history(of: id)
        guard states.contains(where: { viewer.maySee($0) }) else { throw CommandError.notFound }
        let photos = try await photos.ids(of: id)
        let words = try await conversations.words(of: [id.uuid] + photos.map(\.uuid))
        let said = Dictionary((words[id.uuid] ?? []).map { ($0.version, $0) }) { $1 }
        let events = Dictionary(try await reader.stream(id.uuid).map { ($0.version, $0) }) { $1 }
        // The model has no observer for an erased account, and nothing may show which sightings are its own.
        let submitter = events[1].flatMap { $0.type == SightingSubmitted.type ? $0.actor : nil }
        let isErased = submitter != nil && states[0].observer == nil
        let own = try await values(of: states).compactMap { values in
            try events[values.after.version].map {
                try FindingChange($0, values, viewer.hearing(said[values.after.version]), submitter)
            }
        }
        let others = photos.flatMap { photo in
            (words[photo.uuid] ?? []).map { FindingChange($0, photo, viewer.hearing($0)) }
        }
        return (own + others).sorted { $0.position < $1.position }
            .map { isErased && $0.actor == submitter ? $0.withoutOrigin : $0 }
    }

    /// Each state with the one before it, and the notes of both.
    private func values(of states: [ExactSighting]) async throws -> [FindingChange.Values] {
        guard let first = states.first else { return [] }
        let versions = try await contents.versions(of: first.id.uuid).filter { $0.field == .notes }
        func notes(_ state: ExactSighting?) -> String? {
            state.flatMap { state in versions.last { $0.position <= state.position }?.value }
        }
        return zip(states, [nil] + states).map { after, before in
            FindingChange.Values(after: after, before: before, notes: notes(after), notesBefore: notes(before))
        }
    }
}

extension FindingReader.Viewer {
    fileprivate func maySee(_ state: ExactSighting) -> Bool {
        switch self {
        case .owner(let account): state.observer == account
        case .moderator: true
        }
    }

    /// The reasons and notes of flags are for moderators.
    fileprivate func hearing(_ word: ReviewWord?) -> ReviewWord? {
        switch self {
        case .owner: word?.event == .flagged ? nil : word
        case .moderator: word
        }
    }
}

extension FindingChange {
    /// - Throws: `PayloadFault.unknownType` for an event that no history shows.
    /// - Parameter submitter: the account that submitted the sighting.
    fileprivate init(_ event: RecordedEvent, _ values: Values, _ said: ReviewWord?, _ submitter: UUID?) throws {
        guard let kind = try SightingEvent.description(of: event.type).historyKind else {
            throw PayloadFault.unknownType(event.type)
        }
        self.init(
            photo: nil, kind: kind, version: event.version, recordedAt: values.after.recordedAt,
            role: ReviewWord.Role(of: kind, by: event.actor, values.after, submitter), said: said, values: values,
            actor: event.actor, command: event.command, position: event.position)
    }

    fileprivate init(_ word: ReviewWord, _ photo: PhotoID, _ said: ReviewWord?) {
        self.init(
            photo: photo, kind: word.event, version: word.version, recordedAt: word.recordedAt, role: word.role,
            said: said, values: nil, actor: word.actor, command: word.command, position: word.position)
    }
}

extension ReviewWord.Role {
    /// The role of an event's author. Without an account it was the operator, whose imports have a word of their own.
    fileprivate init(of kind: HistoryKind, by actor: UUID?, _ state: ExactSighting, _ submitter: UUID?) {
        switch (kind, actor) {
        case (.flagged, _): self = .account
        case (.redacted, nil): self = .operator
        case (_, nil): self = state.dataset == nil ? .operator : .importer
        case (_, let actor?): self = actor == submitter ? .owner : .moderator
        }
    }
}
