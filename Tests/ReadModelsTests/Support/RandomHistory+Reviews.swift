import FoundationEssentials
import TestRandom

/// Photos, and moderators' actions on them and on sightings.
struct RandomReviews {
    var random: RandomSource

    /// One of three moderators for each photo or sighting.
    private func stamp(of id: UUID) -> [String: JSONText] {
        ["moderator": .text("00000000-0000-7000-8000-00000000005\(id.uuid.15 % 3)")]
    }

    mutating func upload(_ id: UUID, to sighting: UUID, by observer: UUID, ordinal: Int) -> GeneratedEvent {
        GeneratedEvent(
            id, "photo", "PhotoUploaded",
            [
                "sighting": .id(sighting), "observer": .id(observer), "ordinal": .number(ordinal),
                "original": .text(String(repeating: "ab", count: 32)), "mediaType": "image/jpeg", "width": 40,
                "height": 30, "bytes": 900, "perceptualHash": "00ff00ff00ff00ff",
                "likeness": .array([.text(String(repeating: "5a", count: 32))]), "licence": "CC-BY-4.0",
            ])
    }

    mutating func photo(_ id: UUID) -> GeneratedEvent {
        let (type, more): (String, [String: JSONText]) = random.element(of: [
            ("PhotoApproved", [:]), ("PhotoApproved", [:]), ("PhotoApproved", [:]), ("PhotoReopened", [:]),
            ("PhotoApproved", ["restores": 1]), ("PhotoReopened", ["restores": 1]),
            ("PhotoRejected", ["reasons": .array(["unreadable"])]), ("PhotoHidden", ["hiding": "other"]),
            ("PhotoUnhidden", [:]), ("PhotoDescribed", ["licence": "CC0-1.0"]), ("PhotoDeleted", [:]),
            ("PhotoFlagged", ["by": "00000000-0000-7000-8000-000000000006", "flag": "other"]),
        ])
        return GeneratedEvent(id, "photo", type, stamp(of: id).merging(more) { $1 })
    }

    mutating func sighting(_ id: UUID, photos: [UUID]) -> GeneratedEvent {
        let (type, more): (String, [String: JSONText]) = random.element(of: [
            ("SightingApproved", [:]), ("SightingApproved", [:]), ("SightingReopened", [:]),
            ("SightingApproved", ["restores": 1]), ("SightingReopened", ["restores": 1]),
            ("SightingRejected", ["reasons": .array(["wrong-place"])]),
            ("SightingSecondOpinionAsked", ["reasons": .array(["out-of-range"])]),
            (
                "SightingQuestionAsked",
                ["parkedUntil": "2030-01-01T00:00:00Z", "decisionBatch": "00000000-0000-7000-8000-000000000090"]
            ), ("SightingAnswered", [:]),
            ("SightingAppealed", [:]), ("SightingHidden", ["hiding": "other", "hidden": .array(["notes", "notes"])]),
            ("SightingUnhidden", [:]),
            ("SightingFlagged", ["by": "00000000-0000-7000-8000-000000000006", "flag": "other"]),
            ("SightingPhotosOrdered", ["photos": .array(photos.map { .id($0) })]),
        ])
        return GeneratedEvent(id, "sighting", type, stamp(of: id).merging(more) { $1 })
    }
}

extension RandomHistory {
    /// A photo, or a review of a sighting or of a photo.
    mutating func review() -> [GeneratedEvent] {
        var reviews = RandomReviews(random: random)
        defer { random = reviews.random }
        let sighting = reviews.random.element(of: sightings)
        guard isLive(sighting) else { return [] }
        let own = photos.filter { $0.value == sighting }.map(\.key).sorted { $0.uuidString < $1.uuidString }
        switch reviews.random.int(in: 0...5) {
        case 0...1:
            let id = reviews.random.uuid()
            photos[id] = sighting
            return [reviews.upload(id, to: sighting, by: reviews.random.element(of: accounts), ordinal: own.count)]
        case 2...3 where !own.isEmpty: return [reviews.photo(reviews.random.element(of: own))]
        default: return [reviews.sighting(sighting, photos: own.reversed())]
        }
    }
}
