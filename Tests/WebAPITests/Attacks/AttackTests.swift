import Foundation
import NIOConcurrencyHelpers
import TestRandom
import Testing

/// Strangers, birders who write to count, and clients that poll try to find hidden animals by public answers alone.
struct AttackTests {
    /// A guess of 1 km is right once in 26 times by chance: 3.1 of the 83 square kilometres of a cell. The seeds are
    /// fixed: with others, chance alone would find more than the limit now and then.
    @Test func `hidden animals are found no better than by chance`() async throws {
        var (animals, found): (Int, [String: (hits: Int, limit: Int)]) = (0, [:])
        for seed in UInt64(1)...5 {
            let (learnt, truth) = try await Self.play(200, hidden: 20, seed: seed, hiding: "Spotted Owl")
            #expect(learnt.hidden.count == 20 && truth.animals.count == 20)
            #expect(learnt.photos.hidden.count == 20 && learnt.photos.open.count == 200)
            let early = learnt.polls.flatMap(\.records).filter(\.isGeneralised)
            let earlyPhotos = learnt.photos.polls.joined().filter { $0.taxon == learnt.photos.hiddenTaxon }
            #expect(early.isEmpty && earlyPhotos.isEmpty, "shown before the month ended")
            #expect(learnt.photos.decisions == 200, "the statistics count decisions on hidden animals")
            animals += truth.animals.count
            for attack in Attack.all {
                found[attack.name, default: (0, 9)].hits += Self.hits(attack, learnt, truth)
            }
            for attack in PhotoAttack.places + PhotoAttack.records + PhotoAttack.observers {
                found["photo's " + attack.name, default: (0, attack.limit)].hits += Self.hits(attack, learnt, truth)
            }
        }
        for (attack, result) in found {
            #expect(result.hits * 100 <= result.limit * animals, "\(attack): \(result.hits) of \(animals)")
        }
    }

    /// Obscured records appear at once and with their observer: the same attacks find half of them and more.
    @Test func `the attacks find what is only generalised`() async throws {
        let (learnt, truth) = try await Self.play(
            60, hidden: 20, seed: 1, hiding: "Pacific Wren", #","geoprivacy":"obscured""#, approvingAfter: 1)
        #expect(learnt.hidden.count == 20 && truth.animals.count == 20 && learnt.photos.hidden.count == 20)
        for attack in [Attack.appearance, .observer] {
            #expect(Self.hits(attack, learnt, truth) >= 10, "\(attack.name)")
        }
        #expect(Self.hits(Attack.days, learnt, truth) >= 5)
        for attack in PhotoAttack.records + PhotoAttack.observers {
            #expect(Self.hits(attack, learnt, truth) == 20, "\(attack.name)")
        }
        for attack in [PhotoAttack.appearance, .outing] {
            #expect(Self.hits(attack, learnt, truth) >= 10, "\(attack.name)")
        }
        for attack in [PhotoAttack.order, .publication, .days] {
            #expect(Self.hits(attack, learnt, truth) >= 5, "\(attack.name)")
        }
        #expect(learnt.photos.decisions == 80)
        // As if a photo had an id like that of an open sighting: it says no time either.
        let alike = Self.named(learnt, truth) { truth.sightings[$0.id] ?? $0.id }
        #expect(Self.hits(PhotoAttack.ids, alike.learnt, alike.truth) <= 3)
        // As if ids began with the times of their keys.
        var timed = Self.named(learnt, truth) { learnt.timed($0.id, of: $0.sighting) }
        timed.learnt.map.records = learnt.map.records.map { $0.with(id: learnt.timed($0.id, of: $0.id)) }
        #expect(Self.hits(PhotoAttack.ids, timed.learnt, timed.truth) >= 10)
    }

    /// The same with other ids of photos.
    private static func named(
        _ learnt: Reconnaissance, _ truth: AttackScene.Truth, _ id: (GalleryPhoto) -> String
    ) -> (learnt: Reconnaissance, truth: AttackScene.Truth) {
        var (named, facts) = (learnt, truth)
        facts.photos = [:]
        named.photos.gallery = learnt.photos.gallery.map { photo in
            let other = photo.with(id: id(photo))
            facts.photos[other.id] = truth.photos[photo.id]
            return other
        }
        return (named, facts)
    }

    /// - Parameter outings: after which photos are approved.
    private static func play(
        _ count: Int, hidden: Int, seed: UInt64, hiding name: String, _ more: String = "",
        approvingAfter outings: Int = 5
    ) async throws -> (learnt: Reconnaissance, truth: AttackScene.Truth) {
        let sent = Outing.random(count, hidden: hidden, birders: 8, seed: seed)
        let played = NIOLockedValueBox<(Reconnaissance, AttackScene.Truth)?>(nil)
        try await ServedRoutes.run { served in
            let learnt = try await AttackScene(served, hiding: name, more).play(sent, approvingAfter: outings)
            played.withLockedValue { $0 = learnt }
        }
        return try #require(played.withLockedValue { $0 })
    }

    /// The number of animals that an attack finds to 1 km.
    private static func hits(_ attack: Attack, _ learnt: Reconnaissance, _ truth: AttackScene.Truth) -> Int {
        learnt.hidden.filter { record in
            let guess = attack.guess(record, learnt) ?? record.spot.cell
            return truth.animals[record.id].map { guess.kilometres(to: $0) <= 1 } ?? false
        }.count
    }

    /// The number of photos about which an attack claims something true: a place to 1 km.
    private static func hits(_ attack: PhotoAttack, _ learnt: Reconnaissance, _ truth: AttackScene.Truth) -> Int {
        learnt.photos.hidden.filter { photo in
            guard let claim = attack.claim(photo, learnt), let facts = truth.photos[photo.id] else { return false }
            return facts.contains { $0.confirms(claim) }
        }.count
    }
}
