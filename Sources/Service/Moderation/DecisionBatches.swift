package import Domain
import EventLog
package import FoundationEssentials
package import ReadModels

/// Many decisions of a moderator in one request, and undoing them.
package struct DecisionBatches: Sendable {
    let reads: Reads
    let moderation: ModerationService
    let queries: ModerationQueries

    /// A decision on one sighting or photo.
    package enum Item: Sendable {
        case sighting(SightingID, ModerationService.Verdict<SightingReason>)
        case photo(PhotoID, ModerationService.Verdict<PhotoReason>)
    }

    /// A sighting or a photo after a decision.
    package struct Decided: Sendable {
        package let version: Int
        package let position: Int64

        fileprivate init(_ stored: Stored<some Aggregate>) {
            version = stored.version
            position = stored.position
        }
    }

    /// The id of a batch, derived from its keys: a retry has the same id.
    /// - Parameter keys: the keys of its items, in any order.
    package func id(of keys: [UUID], by moderator: AccountID) -> DecisionBatchID {
        let keys = keys.map(\.uuidString).sorted().joined(separator: ",")
        return DecisionBatchID(moderation.signer.id(of: "DecisionBatch", moderator.description, keys))
    }

    /// Carries out one decision of a batch, unless it takes two moderators.
    /// - Throws: ``ModerationRejection``, ``CommandError``, `SightingRejection`, `PhotoRejection`; what the database
    ///   throws.
    package func decide(
        _ item: Item, in batch: DecisionBatchID, ifVersion version: Int, by moderator: AccountID, key: UUID
    ) async throws -> Decided {
        switch item {
        case .sighting(let id, let verdict):
            Decided(
                try await moderation.decide(id, verdict, in: batch, ifVersions: [version], by: moderator, key: key))
        case .photo(let id, let verdict):
            Decided(
                try await moderation.decide(id, verdict, in: batch, ifVersions: [version], by: moderator, key: key))
        }
    }

    /// The sightings and photos that a batch decided on or asked about, in any process.
    /// - Throws: ``CommandError/notFound``; as ``Reads/wait(_:_:)``.
    package func items(
        of batch: DecisionBatchID, _ asked: Asked
    ) async throws -> [(subject: ReviewItem.Subject, id: UUID)] {
        let head = try await reads.log.current().position
        try await reads.wait(ModerationQueries.decisions, Asked(position: max(asked.position, head)))
        let items = try await queries.items(of: batch)
        guard !items.isEmpty else { throw CommandError.notFound }
        return items
    }

    /// Undoes a decision or a question of a batch with a new decision, which any moderator may make unless another one
    /// has claimed the item.
    /// - Throws: ``ModerationRejection``, ``CommandError``, `SightingRejection`, `PhotoRejection`; what the database
    ///   throws.
    package func undo(
        _ subject: ReviewItem.Subject, _ id: UUID, of batch: DecisionBatchID, by moderator: AccountID, key: UUID
    ) async throws -> Decided {
        switch subject {
        case .sighting:
            Decided(try await moderation.restore(SightingID(id), from: batch, by: moderator, key: key))
        case .photo:
            Decided(try await moderation.restore(PhotoID(id), from: batch, by: moderator, key: key))
        }
    }
}
