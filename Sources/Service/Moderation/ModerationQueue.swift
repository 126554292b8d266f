package import Domain
import EventLog
import Postgres
package import ReadModels
import Vault

/// An item of the queue with all that a moderator needs to decide.
package struct QueueEntry: Sendable {
    package var item: ReviewItem
    package var sighting: ReviewedSighting
    /// nil for a sighting.
    package var photo: ReviewedPhoto?
    /// Earlier photos that this one is alike to, the newest first; at most ``mostResembling``, one of a sighting.
    package var resembles: [PhotoID]

    /// See ``resembles``.
    package static let mostResembling = 10
}

/// The moderators' queue, and their claims on its items.
package struct ModerationQueue: Sendable {
    /// For the entries of the queue.
    private static let entries = ReadPlan(
        .moderation, .photos, .sightingsExact, .sightingsPublic, .taxa, .accounts)

    let reads: Reads
    let queries: ModerationQueries
    let claims: Claims
    let interests: InterestRecords
    let moderation: ModerationService

    /// A page of the queue. Items that are gone since the read model's checkpoint are left out.
    /// - Parameter isOfInterest: whether a page that names no region, taxon or observer is limited to the moderator's
    ///   regions and taxa.
    /// - Throws: as ``Reads/wait(_:_:)``.
    package func page(
        _ page: ModerationQueries.Page, isOfInterest: Bool, _ asked: Asked
    ) async throws -> Slice<QueueEntry, MomentKey> {
        try await reads.wait(Self.entries, asked)
        let page = isOfInterest ? try await withInterests(page) : page
        let found = try await queries.queue(page)
        return found.with(try await entries(found.items, before: found.further, for: page.moderator))
    }

    /// How often a claim looks for items when other moderators take those that it has seen.
    private static let attempts = 20

    /// Claims the items of a page: renews what the moderator holds of it, then takes those that wait longest, as many
    /// as a moderator may hold.
    /// - Returns: those that the moderator now holds, in that order.
    /// - Throws: as ``Reads/wait(_:_:)``.
    package func claim(_ page: ModerationQueries.Page, _ asked: Asked) async throws -> [QueueEntry] {
        try await reads.wait(Self.entries, asked)
        var page = try await withInterests(page)
        let limit = page.limit
        page.claims = .own
        var (held, isFull) = try await take(try await queries.queue(page).items, of: page)
        page.claims = .none
        for _ in 0..<Self.attempts where held.count < limit && !isFull {
            page.limit = limit - held.count
            let items = try await queries.queue(page).items
            if items.isEmpty { break }
            let taken = try await take(items, of: page)
            (held, isFull) = (held + taken.held, taken.isFull)
        }
        return try await entries(held, for: page.moderator)
    }

    /// Claims items, except those that another moderator took meanwhile, and those beyond what a moderator may hold.
    private func take(
        _ items: [ReviewItem], of page: ModerationQueries.Page
    ) async throws -> (held: [ReviewItem], isFull: Bool) {
        let taken = try await claims.claim(items.map { Claims.Item($0) }, by: page.moderator, at: page.now)
        return (items.filter { taken.held.contains($0.id) }, taken.isFull)
    }

    /// Ends all claims of a moderator.
    /// - Throws: what the database throws.
    package func release(of moderator: AccountID) async throws {
        try await claims.release(of: moderator, at: moderation.now())
    }

    /// The items that wait now, and the decisions of the last half year.
    /// - Throws: as ``Reads/wait(_:_:)``.
    package func statistics(_ asked: Asked) async throws -> ModerationStatistics {
        try await reads.wait(ModerationQueries.statistics, asked)
        return try await queries.statistics(
            since: moderation.now().adding(seconds: -26 * 7 * 86_400), month: try moderation.months.beginning)
    }
}

extension Claims.Item {
    fileprivate init(_ item: ReviewItem) {
        self.init(subject: item.subject.rawValue, id: item.id, version: item.version)
    }
}
