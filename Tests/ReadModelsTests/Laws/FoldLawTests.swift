import EventLog
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

/// Rows are a function of the log alone, however it was cut while it grew, and whatever was redacted meanwhile.
struct FoldLawTests {
    @Test(arguments: RandomSource.seeds(4))
    func `following is rebuilding`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            for model in ReadModel.all {
                for way in ["each", "some"] { try await fixture.build(model, in: "\(model.name)_\(way)") }
            }
            var reached: [String: Int64] = ["each": 0, "some": 0]
            var random = RandomSource(seed: seed)
            try await fixture.write(seed: seed, steps: 70, reviewing: true) { head in
                try await fixture.advance("each", &reached, to: head) { 1 }
                guard random.isTrue(oneIn: 4) else { return }
                try await fixture.advance("some", &reached, to: head) { random.element(of: [2, 7, 40]) }
            }
            let head = reached["each"] ?? 0
            try await fixture.advance("some", &reached, to: head) { 1_000 }
            for model in ReadModel.all {
                try await assertRebuildsEqual(model, fixture.pool, installed: false, batches: [7, .max])
                let rebuilt = try await fixture.rebuilt(model, upTo: head)
                for way in ["each", "some"] {
                    let followed = try await ModelDigest.of(model, in: "\(model.name)_\(way)", fixture.pool)
                    #expect(followed == rebuilt, "\(model.name), \(way)")
                }
            }
        }
    }

    /// As of a position is the same, whether it was reached at once or in two steps.
    @Test(arguments: RandomSource.seeds(3))
    func `as of is folding that far`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.write(seed: seed &+ 100, steps: 60, reviewing: true)
            let head = try await LogOrigin.read(fixture.pool).position
            var random = RandomSource(seed: seed)
            for model in ReadModel.all {
                let position = Int64(random.int(in: 2...Int(head)))
                let cut = Int64(random.int(in: 1...Int(position) - 1))
                try await fixture.build(model, in: "\(model.name)_cut")
                try await fixture.fold("\(model.name)_cut", after: 0, upTo: cut)
                try await fixture.fold("\(model.name)_cut", after: cut, upTo: position)
                let folded = try await ModelDigest.of(model, in: "\(model.name)_cut", fixture.pool)
                #expect(
                    try await fixture.rebuilt(model, upTo: position) == folded, "\(model.name), \(cut), \(position)")
            }
        }
    }
}

extension ModelFixture {
    /// Folds every model's schema of one way of cutting up to the head.
    fileprivate func advance(
        _ way: String, _ reached: inout [String: Int64], to head: Int64, by batch: () -> Int64
    ) async throws {
        var position = reached[way] ?? 0
        while position < head {
            let next = min(head, position + batch())
            let seen = try await types(after: position, upTo: next)
            // As a look does, which passes over models that fold nothing of what it saw.
            for model in ReadModel.all where way == "some" || !seen.isDisjoint(with: model.types ?? []) {
                try await fold("\(model.name)_\(way)", after: position, upTo: next)
            }
            position = next
        }
        reached[way] = position
    }

    private func types(after position: Int64, upTo next: Int64) async throws -> Set<String> {
        let row = try await pool.query("select model.types_between(\(position), \(next)) as types").onlyRow()
        return Set(try row.decode("types", as: [String].self))
    }

    fileprivate func rebuilt(_ model: ReadModel, upTo position: Int64) async throws -> [String: String] {
        try await build(model, in: "\(model.name)_once")
        try await fold("\(model.name)_once", after: 0, upTo: position)
        return try await ModelDigest.of(model, in: "\(model.name)_once", pool)
    }
}
