package import Domain
import EventLog
package import FoundationEssentials
package import Postgres

/// A sighting or a photo under review.
package struct ReviewItem: Hashable, Sendable {
    /// The kind of subject.
    package enum Subject: String, Vocabulary {
        case photo, sighting
    }

    /// The kind of review; nil for a first one.
    package enum Review: String, Vocabulary {
        case secondOpinion = "second-opinion"
        case appeal, flagged
    }

    package let subject: Subject
    /// The id of the sighting or the photo.
    package let id: UUID
    package let sighting: SightingID
    /// nil for imports.
    package let observer: AccountID?
    package let taxon: TaxonID?
    /// nil if it does not wait.
    package let waitingSince: Instant?
    package let review: Review?
    package let parkedUntil: Instant?
    /// Flags since the last decision.
    package let flags: Int
    /// Version of the subject's newest event.
    package let version: Int
}

extension ReviewItem {
    static let columns = [
        "subject", "id", "sighting", "observer", "taxon", "waiting_since", "review", "parked_until", "flags",
        "version",
    ]

    /// The columns of a table `s` as ``init(_:)`` reads them.
    static let selection = PostgresRow.selection(columns)

    init(_ row: PostgresRow) throws(PostgresError) {
        subject = try row.required(row.word("subject"), "subject")
        id = try row.decode("id")
        sighting = try row.id("sighting")
        observer = try row.id(optional: "observer")
        taxon = try row.id(optional: "taxon")
        waitingSince = try row.instant("waiting_since")
        review = try row.word("review")
        parkedUntil = try row.instant("parked_until")
        flags = try row.decode("flags")
        version = try row.decode("version")
    }
}

/// Reads the items that wait for moderators.
package struct ModerationQueries: Sendable {
    /// For the decisions and questions of a batch.
    package static let decisions = ReadPlan(.moderation)
    /// For statistics.
    package static let statistics = ReadPlan(.moderation, .sightingsPublic)

    /// The filters and the size of a page of the queue.
    package struct Page: SliceRequest, Hashable {
        /// Items by their claims; what other moderators have claimed is always left out.
        package enum Claims: Sendable {
            /// Those that the moderator who asks has claimed, and those without a claim.
            case ownOrNone
            case own, none
        }

        /// The moderator who asks: own items, and those that another one has to decide, are left out.
        package var moderator: AccountID
        package var claims = Claims.ownOrNone
        package var subject: ReviewItem.Subject?
        /// Empty: all regions, and records without one.
        package var regions: [RegionCode] = []
        /// The query adds their descendants; empty: all taxa, and unidentified records.
        package var taxa: [TaxonID] = []
        package var kind: TaxonKind?
        /// The observer's public id; nil: all observers, and imports. Guarded records have none: by asking for one
        /// after the other, a moderator would learn whose such a record is without reading it.
        package var observer: ObserverID?
        /// Only observations whose whole interval lies on or after this local date; guarded records by their months,
        /// of which one day is enough.
        package var from: CivilDate?
        /// Only observations whose whole interval lies on or before this local date; guarded records as with `from`.
        package var to: CivilDate?
        /// Items that have an open question, await photos or are claimed by others at this time are left out.
        package var now: Instant
        package var limit: Int
        package var after: MomentKey?

        package init(moderator: AccountID, now: Instant, limit: Int) {
            self.moderator = moderator
            self.now = now
            self.limit = limit
        }
    }

    let database: any PostgresQuerying
    let items: SQL = "\(identifier: ReadModel.moderation.schema).items s"

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The items that wait longest, then by id.
    /// - Throws: `PostgresError`.
    package func queue(_ page: Page) async throws(PostgresError) -> Slice<ReviewItem, MomentKey> {
        // Each subject's are read in the order of their index: those of the other one may all wait longer.
        let subjects = page.subject.map { [$0] } ?? Array(ReviewItem.Subject.allCases)
        let source = page.claims == .own ? claimedItems(by: page.moderator, at: page.now) : items
        // An observer's are few, and are read by their own index.
        let ofSubject: SQL = page.observer == nil ? "s.subject = k.subject" : Self.inOrder("s.subject = k.subject")
        let result = try await database.query(
            """
            select \(fragment: ReviewItem.selection)
              from unnest(\(subjects.map(\.rawValue))) k (subject)
             cross join lateral (
                select s.* from \(fragment: source)
                 where \(fragment: ofSubject) and \(fragment: Self.condition(page))
                 -- The planner must not see the number: where it expects fewer items than that, as it does before the
                 -- table is analysed, it would read all that wait, and sort them.
                 order by s.waiting_since, s.id limit (select \(page.rows)::bigint)) s
             order by s.waiting_since, s.id
             limit \(page.rows)
            """)
        var items: [ReviewItem] = []
        for row in result.rows { items.append(try ReviewItem(row)) }
        return page.slice(items) { item in item.waitingSince.map { MomentKey($0, item.id) } }
    }

    /// The items that a moderator holds, as a table `s`. A moderator holds few, so claims are read first.
    private func claimedItems(by moderator: AccountID, at now: Instant) -> SQL {
        """
        (select i.* from (select c.subject, c.id from vault.claims c
                           where c.moderator = \(moderator.uuid) and not c.decided
                             and c.until > \(now.text())::text::timestamptz offset 0) c
          cross join lateral (select s.* from \(fragment: items)
                               where s.subject = c.subject and s.id = c.id offset 0) i) s
        """
    }

    /// The sightings and photos about which a batch decided or asked, each once, in the order in which it did.
    /// - Throws: `PostgresError`.
    package func items(
        of batch: DecisionBatchID
    ) async throws(PostgresError) -> [(subject: ReviewItem.Subject, id: UUID)] {
        let schema = ReadModel.moderation.schema
        let result = try await database.query(
            """
            select i.subject, i.id
              from (select d.subject, d.id, d.position from \(identifier: schema).decisions d
                     where d.batch = \(batch.uuid)
                    union all
                    select 'sighting', q.id, q.position from \(identifier: schema).questions q
                     where q.batch = \(batch.uuid)) i
             group by i.subject, i.id order by min(i.position)
            """)
        var items: [(subject: ReviewItem.Subject, id: UUID)] = []
        for row in result.rows {
            items.append((try row.required(row.word("subject"), "subject"), try row.decode("id")))
        }
        return items
    }

    /// The condition for items of a table `s`, of any subject, in a moderator's queue.
    package static func condition(_ page: Page) -> SQL {
        let moderator = page.moderator.uuid
        let rivals: SQL = page.claims == .none ? "true" : "c.moderator <> \(moderator)"
        var filter: SQL = """
            s.waiting_since is not null and s.observer is distinct from \(moderator)
            and s.decided_by is distinct from \(moderator)
            and (s.parked_until > \(page.now.text())::text::timestamptz) is not true
            and (s.photos_until > \(page.now.text())::text::timestamptz) is not true
            and not exists (select from vault.claims c
                             where c.subject = s.subject and c.id = s.id
                               and c.until > \(page.now.text())::text::timestamptz
                               and case when c.decided then c.version > s.version else \(fragment: rivals) end)
            """
        if !page.regions.isEmpty {
            let regions: SQL = "s.region = any(\(page.regions.map(\.text)))"
            filter = "\(fragment: filter) and \(fragment: inOrder(regions))"
        }
        if let observer = page.observer {
            filter = """
                \(fragment: filter) and not s.guarded
                and s.observer = (select o.account from \(identifier: ReadModel.sightingsPublic.schema).observers o
                                   where o.observer = \(observer.uuid))
                """
        }
        if !page.taxa.isEmpty {
            let taxa: SQL = "s.taxon = any(array(\(fragment: TaxonLines.below(page.taxa))))"
            filter = "\(fragment: filter) and \(fragment: inOrder(taxa))"
        }
        if let kind = page.kind { filter = "\(fragment: filter) and \(fragment: kind.condition(of: "s.taxon"))" }
        if let from = page.from {
            filter = """
                \(fragment: filter)
                and case when s.guarded then date_trunc('month', s.local_to::timestamp) + interval '1 month - 1 day'
                         else s.local_from end >= \(from.description)::text::date
                """
        }
        if let to = page.to {
            filter = """
                \(fragment: filter)
                and case when s.guarded then date_trunc('month', s.local_from::timestamp) else s.local_to end
                    <= \(to.description)::text::date
                """
        }
        if let key = page.after {
            filter = """
                \(fragment: filter)
                and (s.waiting_since, s.id) > (\(key.moment.text())::text::timestamptz, \(key.id))
                """
        }
        return filter
    }

    /// A condition by which items are only filtered, in the order of the queue. By an index of its own, the planner
    /// would read and sort all items that wait for it, where it expects few: always before the table is analysed.
    private static func inOrder(_ condition: SQL) -> SQL {
        "case when \(fragment: condition) then true end"
    }
}
