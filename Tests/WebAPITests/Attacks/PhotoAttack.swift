import JSON

/// A way to find out where, by whom or with which record a hidden animal was photographed. It claims something only
/// from evidence.
struct PhotoAttack: Sendable {
    /// A claim about a photo.
    enum Claim: Hashable, Sendable {
        case place(Spot)
        /// The public id of its sighting.
        case record(String)
        case observer(String)

        /// Whether another claim says the same: a place to 1 km.
        func confirms(_ claim: Claim) -> Bool {
            if case .place(let spot) = self, case .place(let other) = claim { return spot.kilometres(to: other) <= 1 }
            return self == claim
        }
    }

    let name: String
    /// The percentage of photos about which a guess may be right: a place to 1 km once in 26 times by chance, one of
    /// twenty records, one of eight observers.
    let limit: Int
    let claim: @Sendable (GalleryPhoto, Reconnaissance) -> Claim?

    static let places = [appearance, order, ids, publication, days, outing]
    static let records = [sighting, listing]
    static let observers = [credit, gallery, camera]

    private static func place(
        _ name: String, _ spots: @escaping @Sendable (GalleryPhoto, Reconnaissance) -> [Spot]
    ) -> PhotoAttack {
        PhotoAttack(name: name, limit: 9) { photo, seen in Spot.middle(of: spots(photo, seen)).map(Claim.place) }
    }

    /// The open photos that appeared in the gallery together with it.
    static let appearance = place("appearance") { photo, seen in
        let poll = seen.photos.polls.firstIndex { $0.contains { $0.id == photo.id } }
        return poll.map { seen.spots(of: seen.photos.appeared(in: $0), near: photo) } ?? []
    }

    /// Neighbours in the gallery: those with its credit, otherwise both if they have one credit.
    static let order = place("order") { photo, seen in
        let photos = seen.photos.gallery
        guard let index = photos.firstIndex(of: photo), index > 0, index + 1 < photos.count else { return [] }
        let neighbours = [photos[index - 1], photos[index + 1]].filter { $0.taxon != photo.taxon }
        guard let credit = photo.credit else {
            return neighbours.count == 2 && Set(neighbours.map(\.credit)).count == 1
                ? seen.spots(of: neighbours, near: photo) : []
        }
        return seen.spots(of: neighbours.filter { $0.credit == credit }, near: photo)
    }

    /// The records whose ids begin with the same minutes.
    static let ids = place("ids") { photo, seen in
        guard let time = Attack.milliseconds(photo.id) else { return [] }
        return seen.open.filter { abs((Attack.milliseconds($0.id) ?? 0) - time) < 1_800_000 }.map(\.spot)
    }

    /// The open photos that were published on the same day.
    static let publication = place("publication") { photo, seen in
        seen.spots(of: seen.photos.open.filter { $0.published == photo.published }, near: photo)
    }

    /// The open records that were recorded on the first day as of which the photo is shown.
    static let days = place("days") { photo, seen in
        guard let day = seen.photos.days[photo.id] else { return [] }
        func isOfDay(_ record: MappedRecord) -> Bool { seen.representations[record.id]?["recordedOn"]?.string == day }
        guard let record = seen.record(of: photo) else { return seen.open.filter(isOfDay).map(\.spot) }
        return seen.neighbours(of: record) { isOfDay($0) }
    }

    /// Other records of its observer on the day of its record.
    static let outing = place("outing") { photo, seen in
        seen.record(of: photo).flatMap { Attack.observer.guess($0, seen) }.map { [$0] } ?? []
    }

    /// The sighting that it names.
    static let sighting = PhotoAttack(name: "sighting", limit: 15) { photo, _ in photo.sighting.map(Claim.record) }

    /// The record that lists it.
    static let listing = PhotoAttack(name: "listing", limit: 15) { photo, seen in
        seen.representations.first { $0.value["photos"]?.items.contains { $0["id"]?.string == photo.id } == true }
            .map { .record($0.key) }
    }

    /// The observer with the name that it credits.
    static let credit = PhotoAttack(name: "credit", limit: 25) { photo, seen in
        guard let credit = photo.credit else { return nil }
        return seen.representations.values.lazy.compactMap { $0["observer"] }
            .first { $0["displayName"]?.string == credit }?["id"]?.string.map(Claim.observer)
    }

    /// The observer whose gallery has it.
    static let gallery = PhotoAttack(name: "gallery", limit: 25) { photo, seen in
        seen.photos.observers.first { $0.value.contains(photo.id) }.map { .observer($0.key) }
    }

    /// The observer whose open photos have its size: each birder has another camera.
    static let camera = PhotoAttack(name: "camera", limit: 25) { photo, seen in
        let alike = seen.photos.open.filter { $0.size == photo.size }
        let observers = Set(alike.compactMap { $0.sighting.flatMap(seen.observer) })
        return observers.count == 1 ? observers.first.map(Claim.observer) : nil
    }
}

extension Reconnaissance {
    /// The record that a photo names, on the map.
    func record(of photo: GalleryPhoto) -> MappedRecord? {
        photo.sighting.flatMap { id in map.records.first { $0.id == id } }
    }

    /// The places of open photos, in the cell of another photo's record where that is known.
    func spots(of photos: [GalleryPhoto], near photo: GalleryPhoto) -> [Spot] {
        let cell = record(of: photo)?.spot.cell
        return photos.compactMap { record(of: $0)?.spot }.filter { cell == nil || $0.cell == cell }
    }
}
