package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// A photo as anyone may see it.
package struct PublicPhoto: Hashable, Sendable {
    /// Random; another category or geoprivacy of its sighting makes another one.
    package let id: PhotoID
    /// The public id of its sighting; nil if guarded.
    package let record: SightingID?
    package let taxon: TaxonID?
    /// The observer's pseudonym; nil if guarded.
    package let observer: ObserverID?
    /// The day (UTC) on which it was approved; if guarded, the first day of the next month.
    package let published: CivilDate
    package let licence: Licence?
    /// Pixels of the original; nil if guarded: they distinguish cameras.
    package let width: Int?
    package let height: Int?
    package let renditions: [PhotoRendition]
}

extension PublicPhoto {
    /// The columns of a table `s` as ``init(_:)`` reads them.
    static let selection: SQL = """
        s.id, case when not s.guarded then s.record end as record, s.taxon, s.observer, s.published::text, s.licence,
        s.width, s.height, s.renditions
        """

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.id("id")
        record = try row.id(optional: "record")
        taxon = try row.id(optional: "taxon")
        observer = try row.id(optional: "observer")
        published = try row.required(row.date("published"), "published")
        licence = try row.word("licence")
        renditions = try row.list("renditions")
        width = try row.decode("width")
        height = try row.decode("height")
    }
}

/// Reads the photos that anyone may see. Every answer is as of a ``PublicMoment`` and the same for every caller.
package struct PublicPhotoQueries: Sendable {
    /// A gallery: the photos of a taxon and all below it, or of an observer.
    package enum Gallery: Hashable, Sendable {
        case taxon(TaxonID)
        case observer(ObserverID)
    }

    /// The filter and the size of a page, and the place after which it begins.
    package struct Page: SliceRequest, Hashable {
        /// The place of a photo in a gallery.
        package struct Key: Hashable, Sendable {
            package let published: CivilDate
            package let id: PhotoID

            package init(published: CivilDate, id: PhotoID) {
                self.published = published
                self.id = id
            }
        }

        package var kind: TaxonKind?
        /// No region has photos of guarded records.
        package var region: RegionCode?
        package var limit: Int
        /// nil for the first page.
        package var after: Key?

        package init(limit: Int, after: Key? = nil) {
            self.limit = limit
            self.after = after
        }
    }

    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The table of photos, named `s`.
    package static let table: SQL = "\(identifier: ReadModel.sightingsPublic.schema).photos s"

    /// A photo by its public id; nil when nothing is public under that id.
    /// - Parameter columns: further columns of the photo `s`, to be read from the row.
    /// - Throws: `PostgresError`.
    package func photo(
        _ id: PhotoID, asOf moment: PublicMoment, and columns: SQL
    ) async throws(PostgresError) -> (photo: PublicPhoto, row: PostgresRow)? {
        let one: SQL = """
            \(fragment: Self.table) where s.id = \(id.uuid) and \(fragment: moment.photoCondition) limit 1
            """
        return try await photos(from: one, columns).first
    }

    /// The renditions of a photo.
    package struct Renditions: Sendable {
        package let all: [PhotoRendition]
        /// Whether they must not be returned as they are.
        package let isGuarded: Bool
    }

    /// The renditions of photos by their public ids, without those under whose id nothing is public.
    /// - Throws: `PostgresError`.
    package func renditions(
        of ids: Set<PhotoID>, asOf moment: PublicMoment
    ) async throws(PostgresError) -> [PhotoID: Renditions] {
        let result = try await database.query(
            """
            select s.id, s.renditions, s.guarded from \(fragment: Self.table)
             where s.id = any(\(ids.map(\.uuid))) and \(fragment: moment.photoCondition)
            """)
        var found: [PhotoID: Renditions] = [:]
        for row in result.rows {
            found[try row.id("id")] = Renditions(
                all: try row.list("renditions"), isGuarded: try row.decode("guarded"))
        }
        return found
    }

    /// A page of a gallery, the newest public date first, then by id.
    /// - Throws: `PostgresError`.
    package func gallery(
        _ gallery: Gallery, _ page: Page, asOf moment: PublicMoment, and columns: SQL
    ) async throws(PostgresError) -> Slice<(photo: PublicPhoto, row: PostgresRow), Page.Key> {
        let newest: SQL =
            switch gallery {
            case .taxon(let taxon): Self.newest(of: taxon, page, asOf: moment)
            case .observer(let observer):
                Self.newest(
                    """
                    s.observer = \(observer.uuid) and not s.guarded
                    and \(fragment: RecordFilter(kind: page.kind).condition())
                    and \(fragment: Self.isListed(observer, asOf: moment))
                    """, page, asOf: moment)
            }
        let found = try await photos(
            from: "(\(fragment: newest)) s order by s.published desc, s.id limit \(page.rows)", columns)
        return page.slice(found) { Page.Key(published: $0.photo.published, id: $0.photo.id) }
    }

    /// Whether the photos of an observer may be listed together.
    private static func isListed(_ observer: ObserverID, asOf moment: PublicMoment) -> SQL {
        """
        not exists (select from \(identifier: ReadModel.accounts.schema).accounts a
                     where a.observer = \(observer.uuid)
                       and not \(fragment: Publicity.gallery.isShown(of: "a.id", asOf: moment)))
        """
    }

    /// The first photos of a page, by date and id, among those that meet a condition.
    ///
    /// They are read in the order of an index. The planner cannot know how many rows are shown at a moment; that it is
    /// not told the limit, and takes the condition for one that half of the rows meet, keeps it from sorting all.
    private static func newest(_ condition: SQL, _ page: Page, asOf moment: PublicMoment, limit: Int? = nil) -> SQL {
        var rest: SQL = "and \(fragment: RecordFilter(region: page.region).condition())"
        if let day = moment.day {
            // All photos of that moment were published by then: the scan of the index begins there.
            rest = "\(fragment: rest) and s.published <= \(day.description)::text::date"
        }
        if let key = page.after {
            let day = key.published.description
            rest = """
                \(fragment: rest) and s.published <= \(day)::text::date
                and (s.published < \(day)::text::date or s.id > \(key.id.uuid))
                """
        }
        return """
            select s.* from \(fragment: table)
             where \(fragment: condition) and coalesce(\(fragment: moment.photoCondition), false) \(fragment: rest)
             order by s.published desc, s.id limit (select \(limit ?? page.rows))
            """
    }

    /// The renditions with which guarded photos are public, with their streams: those of the end of last month.
    /// - Throws: `PostgresError`.
    package func guardedRenditions() async throws(PostgresError) -> [(photo: PhotoID, renditions: [PhotoRendition])] {
        let result = try await database.query(
            """
            select distinct s.photo, s.renditions from \(fragment: Self.table)
             where s.guarded and upper_inf(s.shown)
            """)
        var found: [(photo: PhotoID, renditions: [PhotoRendition])] = []
        for row in result.rows { found.append((try row.id("photo"), try row.list("renditions"))) }
        return found
    }

    /// The first photos of a page in the gallery of a taxon, in no particular order, and some that come after the page.
    ///
    /// No index has the photos of several taxa in the order of their dates. A page of *n* photos has at most *n* taxa:
    /// those whose newest photos rank highest. So one photo of each taxon is read, then a page for each of these *n*.
    private static func newest(of taxon: TaxonID, _ page: Page, asOf moment: PublicMoment) -> SQL {
        let first = newest("s.taxon = b.taxon", page, asOf: moment, limit: 1)
        return """
            select s.*
              from (select b.taxon
                      from (\(fragment: PublicSightingQueries.below(taxon, asOf: moment.known))) b
                     cross join lateral (\(fragment: first)) s
                     where \(fragment: RecordFilter(kind: page.kind).condition(of: "b"))
                     order by s.published desc, s.id limit \(page.rows)) t
             cross join lateral (\(fragment: newest("s.taxon = t.taxon", page, asOf: moment))) s
            """
    }

    /// - Parameter source: the table `s` or an expression for it, and what follows it.
    private func photos(
        from source: SQL, _ columns: SQL
    ) async throws(PostgresError) -> [(photo: PublicPhoto, row: PostgresRow)] {
        let result = try await database.query(
            "select \(fragment: PublicPhoto.selection), \(fragment: columns) from \(fragment: source)")
        var photos: [(photo: PublicPhoto, row: PostgresRow)] = []
        for row in result.rows { photos.append((try PublicPhoto(row), row)) }
        return photos
    }
}
