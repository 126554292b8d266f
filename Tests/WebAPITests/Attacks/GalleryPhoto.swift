import HTTPTypes
import HummingbirdTesting
import JSON
import Testing

/// A photo in a public gallery.
struct GalleryPhoto: Hashable, Sendable {
    let id: String
    let taxon: String?
    /// The public id of its sighting; nil for a guarded one.
    let sighting: String?
    let credit: String?
    let published: String?
    /// Its width and height.
    let size: [Int]

    init(_ json: JSONValue) throws {
        id = try #require(json["id"]?.string)
        taxon = json["taxonId"]?.string
        sighting = json["sightingId"]?.string
        credit = json["credit"]?.string
        published = json["publishedOn"]?.string
        size = ["width", "height"].compactMap { json[$0]?.integer }
    }

    private init(_ id: String, like other: GalleryPhoto) {
        self.id = id
        (taxon, sighting, credit) = (other.taxon, other.sighting, other.credit)
        (published, size) = (other.published, other.size)
    }

    func with(id: String) -> GalleryPhoto { GalleryPhoto(id, like: self) }
}

/// What clients could learn about photos.
struct PhotoReconnaissance: Sendable {
    /// The taxon whose photos are attacked.
    let hiddenTaxon: String
    /// The gallery after each approval of photos, as one who polls sees it.
    var polls: [[GalleryPhoto]] = []
    /// The gallery when all months are over, in its order.
    var gallery: [GalleryPhoto] = []
    /// The ids of the photos in observers' galleries.
    var observers: [String: Set<String>] = [:]
    /// The first day as of which a record lists the photo.
    var days: [String: String] = [:]
    /// The decisions that the public statistics count.
    var decisions = 0

    var hidden: [GalleryPhoto] { gallery.filter { $0.taxon == hiddenTaxon } }
    var open: [GalleryPhoto] { gallery.filter { $0.taxon != hiddenTaxon } }

    /// The open photos that a poll has and the one before does not.
    func appeared(in poll: Int) -> [GalleryPhoto] {
        let before = poll > 0 ? Set(polls[poll - 1].map(\.id)) : []
        return polls[poll].filter { !before.contains($0.id) && $0.taxon != hiddenTaxon }
    }
}

extension Caller {
    /// All pages of a gallery.
    func gallery(_ path: String, headers: HTTPFields = [:]) async throws -> [GalleryPhoto] {
        var photos: [GalleryPhoto] = []
        var after = ""
        while true {
            let page = try await send(.get, "\(path)?limit=200\(after)", headers: headers)
            photos += try (try page["items"]?.items ?? []).map { try GalleryPhoto($0) }
            guard let next = try page.text("next") else { return photos }
            after = "&after=\(next)"
        }
    }
}
