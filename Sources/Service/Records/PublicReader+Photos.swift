package import Domain
import EventLog
import FoundationEssentials
import JSON
import Postgres
package import ReadModels
import Vault

/// A public photo with the texts that may be shown with it.
package struct ShownPhoto: Sendable {
    package let row: PublicPhoto
    /// Nil if guarded: like notes, it may name a place.
    package let altText: String?
    /// The observer's public name; nil for an anonymous one, and if guarded.
    package let credit: String?
}

extension PublicReader {
    /// A photo by its public id.
    /// - Throws: ``CommandError/notFound``; what the database throws.
    package func photo(_ id: PhotoID, asOf moment: PublicMoment) async throws -> ShownPhoto {
        let columns = Self.shown(asOf: moment)
        guard let found = try await PublicPhotoQueries(pool).photo(id, asOf: moment, and: columns) else {
            throw CommandError.notFound
        }
        return try Self.shown(found.photo, found.row)
    }

    /// The stream of a public photo.
    /// - Throws: ``CommandError/notFound``; what the database throws.
    func stream(of id: PhotoID, asOf moment: PublicMoment) async throws -> PhotoID {
        let found = try await PublicPhotoQueries(pool).photo(id, asOf: moment, and: "s.photo as stream")
        guard let found else { throw CommandError.notFound }
        return PhotoID(try found.row.decode("stream", as: UUID.self))
    }

    /// A page of a gallery.
    /// - Throws: what the database throws.
    package func gallery(
        _ gallery: PublicPhotoQueries.Gallery, _ page: PublicPhotoQueries.Page, asOf moment: PublicMoment
    ) async throws -> Slice<ShownPhoto, PublicPhotoQueries.Page.Key> {
        let columns = Self.shown(asOf: moment)
        let found = try await PublicPhotoQueries(pool).gallery(gallery, page, asOf: moment, and: columns)
        return found.with(try found.items.map { try Self.shown($0.photo, $0.row) })
    }

    /// The texts of a photo `s`, in the same statement.
    private static func shown(asOf moment: PublicMoment) -> SQL {
        """
        case when not s.guarded
             then \(fragment: ContentStore.newest(.altText, of: "s.photo", asOf: moment.known)) end as alt_text,
        \(fragment: observerName(asOf: moment)) as observer_name
        """
    }

    private static func shown(_ photo: PublicPhoto, _ row: PostgresRow) throws(PostgresError) -> ShownPhoto {
        let chosen: String? = try row.decode("observer_name")
        return ShownPhoto(
            row: photo, altText: try row.decode("alt_text"),
            credit: chosen == "" ? photo.observer?.defaultName : chosen)
    }

    /// The photos of a record `s`, in their order, as JSON; null for none. Those of a guarded record are in the gallery
    /// of its taxon only, where nothing says whose they are.
    static func photos(asOf moment: PublicMoment) -> SQL {
        """
        (select json_agg(json_build_object(
                    'id', p.id, 'width', p.width, 'height', p.height, 'licence', p.licence,
                    'sha256', jsonb_path_query_first(p.renditions, '$[*] ? (@.name == "large").sha256'),
                    'altText', \(fragment: ContentStore.newest(.altText, of: "p.photo", asOf: moment.known)))
                    order by p.sequence, p.id)
           from (select s.id as record) r
          cross join lateral (
            select s.* from \(fragment: PublicPhotoQueries.table)
             where s.record = r.record and not s.guarded and \(fragment: moment.photoCondition)) p)
        """
    }
}

/// A photo in the representation of its sighting.
package struct RecordPhoto: Sendable {
    package let id: PhotoID
    /// Pixels of the original.
    package let width: Int
    package let height: Int
    package let licence: Licence?
    package let altText: String?
    /// That of the large rendition.
    let sha256: Fingerprint?

    /// The photos in the JSON of ``PublicReader/photos(asOf:)``.
    static func list(_ json: PostgresJSON) -> [Self] {
        let photos = try? JSONValue(parsing: Array(json.text.utf8))
        return photos?.items.compactMap(Self.init) ?? []
    }

    /// - Returns: nil for JSON of another shape.
    private init?(_ json: JSONValue) {
        guard let id = json["id"]?.string.flatMap(PhotoID.init), let width = json["width"]?.integer,
            let height = json["height"]?.integer
        else { return nil }
        self.id = id
        self.width = width
        self.height = height
        licence = json["licence"]?.string.flatMap(Licence.init(rawValue:))
        altText = json["altText"]?.string
        sha256 = json["sha256"]?.string.flatMap { try? Fingerprint($0) }
    }
}
