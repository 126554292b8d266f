import Foundation
import NIOConcurrencyHelpers
import TestRandom
import Testing

/// Strangers, birders who write to count, and clients that poll try to find hidden animals by public answers alone.
struct AttackTests {
    /// A guess of 1 km is right once in 26 times by chance: 3.1 of the 83 square kilometres of a cell.
    @Test func `hidden animals are found no better than by chance`() async throws {
        var (animals, found): (Int, [String: Int]) = (0, [:])
        for seed in RandomSource.seeds(5) {
            let (learnt, truth) = try await Self.play(200, hidden: 20, seed: seed, hiding: "Spotted Owl")
            #expect(learnt.hidden.count == 20 && truth.count == 20)
            let early = learnt.polls.flatMap(\.records).filter(\.isGeneralised)
            #expect(early.isEmpty, "shown before the month ended")
            animals += truth.count
            for attack in Attack.all { found[attack.name, default: 0] += Self.hits(attack, learnt, truth) }
        }
        for (attack, hits) in found { #expect(hits * 100 <= 9 * animals, "\(attack): \(hits) of \(animals)") }
    }

    /// Obscured records appear at once and with their observer: the same attacks find half of them and more.
    @Test func `the attacks find what is only generalised`() async throws {
        let (learnt, truth) = try await Self.play(
            60, hidden: 20, seed: 1, hiding: "Pacific Wren", #","geoprivacy":"obscured""#)
        #expect(learnt.hidden.count == 20 && truth.count == 20)
        for attack in [Attack.appearance, .observer] {
            #expect(Self.hits(attack, learnt, truth) >= 10, "\(attack.name)")
        }
        #expect(Self.hits(.days, learnt, truth) >= 5)
    }

    private static func play(
        _ count: Int, hidden: Int, seed: UInt64, hiding name: String, _ more: String = ""
    ) async throws -> (learnt: Reconnaissance, truth: [String: Spot]) {
        let outings = Outing.random(count, hidden: hidden, birders: 8, seed: seed)
        let played = NIOLockedValueBox<(Reconnaissance, [String: Spot])?>(nil)
        try await ServedRoutes.run { served in
            let learnt = try await AttackScene(served, hiding: name, more).play(outings)
            played.withLockedValue { $0 = learnt }
        }
        return try #require(played.withLockedValue { $0 })
    }

    /// The number of animals that an attack finds to 1 km.
    private static func hits(_ attack: Attack, _ learnt: Reconnaissance, _ truth: [String: Spot]) -> Int {
        learnt.hidden.filter { record in
            let guess = attack.guess(record, learnt) ?? record.spot.cell
            return truth[record.id].map { guess.kilometres(to: $0) <= 1 } ?? false
        }.count
    }
}
