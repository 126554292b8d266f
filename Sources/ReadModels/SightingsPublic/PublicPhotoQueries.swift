package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// A photo as anyone may see it.
package struct PublicPhoto: Hashable, Sendable {
    /// Random; another public id of its sighting makes another one.
    package let id: PhotoID
    /// The public id of its sighting.
    package let record: SightingID
    package let taxon: TaxonID?
    /// The observer's pseudonym; nil if guarded.
    package let observer: ObserverID?
    /// The day (UTC) on which it was approved; if guarded, the first day of the next month.
    package let published: CivilDate
    package let licence: Licence?
    /// Pixels of the original.
    package let width: Int
    package let height: Int
    package let renditions: [PhotoRendition]
}

extension PublicPhoto {
    /// The columns of a table `s` as ``init(_:)`` reads them.
    static let selection: SQL = """
        s.id, s.record, s.taxon, s.observer, s.published::text, s.licence, s.width, s.height, s.renditions
        """

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.id("id")
        record = try row.id("record")
        taxon = try row.id(optional: "taxon")
        observer = try row.id(optional: "observer")
        published = try row.required(row.date("published"), "published")
        licence = try row.word("licence")
        width = try row.decode("width")
        height = try row.decode("height")
        renditions = try row.list("renditions")
    }
}

/// Reads the photos that anyone may see. Every answer is as of a ``PublicMoment`` and the same for every caller.
package struct PublicPhotoQueries: Sendable {
    /// A gallery: the photos of a taxon and all below it, or of an observer.
    package enum Gallery: Hashable, Sendable {
        case taxon(TaxonID)
        case observer(ObserverID)
    }

    /// The size of a page, and the place after which it begins.
    package struct Page: Hashable, Sendable {
        /// The place of a photo in a gallery.
        package struct Key: Hashable, Sendable {
            package let published: CivilDate
            package let id: PhotoID

            package init(published: CivilDate, id: PhotoID) {
                self.published = published
                self.id = id
            }
        }

        package var limit: Int
        /// Nil for the first page.
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
    /// - Parameter columns: what else to select, of the photo `s`; it is read from the row.
    /// - Throws: `PostgresError`.
    package func photo(
        _ id: PhotoID, asOf moment: PublicMoment, and columns: SQL = "null as nothing"
    ) async throws(PostgresError) -> (photo: PublicPhoto, row: PostgresRow)? {
        try await photos("s.id = \(id.uuid) and \(fragment: moment.photoCondition) limit 1", columns).first
    }

    /// A page of a gallery, the newest public date first, then by id.
    /// - Throws: `PostgresError`.
    package func gallery(
        _ gallery: Gallery, _ page: Page, asOf moment: PublicMoment, and columns: SQL
    ) async throws(PostgresError) -> [(photo: PublicPhoto, row: PostgresRow)] {
        let of: SQL =
            switch gallery {
            case .taxon(let taxon):
                "s.taxon = any(array(\(fragment: PublicSightingQueries.below(taxon, asOf: moment.known))))"
            case .observer(let observer): "s.observer = \(observer.uuid) and not s.guarded"
            }
        var rest: SQL = ""
        if let key = page.after {
            let day = key.published.description
            rest = """
                and s.published <= \(day)::text::date
                and (s.published < \(day)::text::date or s.id > \(key.id.uuid))
                """
        }
        return try await photos(
            """
            \(fragment: of) and \(fragment: moment.photoCondition) \(fragment: rest)
            order by s.published desc, s.id limit \(page.limit)
            """, columns)
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

    private func photos(
        _ condition: SQL, _ columns: SQL
    ) async throws(PostgresError) -> [(photo: PublicPhoto, row: PostgresRow)] {
        let result = try await database.query(
            """
            select \(fragment: PublicPhoto.selection), \(fragment: columns)
              from \(fragment: Self.table)
             where \(fragment: condition)
            """)
        var photos: [(photo: PublicPhoto, row: PostgresRow)] = []
        for row in result.rows { photos.append((try PublicPhoto(row), row)) }
        return photos
    }
}
