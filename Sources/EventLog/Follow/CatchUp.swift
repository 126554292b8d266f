/// Decides after each round of a rebuild whether it goes on folding, swaps, or gives up.
///
/// A round folds what was appended before it began; meanwhile more is appended. While that is less than what is folded,
/// rounds become shorter, until few enough positions are left for the swap. Appends that are as fast as folding would
/// keep a rebuild going for ever.
package struct CatchUp: Sendable {
    /// The next step of a rebuild.
    package enum Step: Sendable, Hashable {
        case fold(upTo: Int64)
        /// The swap folds the rest, while it holds the model's checkpoint.
        case swap
    }

    /// The most positions that the swap folds itself, unless appends are too fast.
    private static let remainder: Int64 = 20_000
    /// A round has gained nothing if more than this share of the events it folded were appended meanwhile.
    private static let gain = 0.9
    /// The rounds in a row without a gain after which the swap folds the rest, or the rebuild gives up.
    private static let fruitlessRounds = 3

    private struct Moment {
        var position: Int64
        var head: Int64
        var time: ContinuousClock.Instant
    }

    private let model: String
    private let batch: Int64
    private let swapTime: Duration
    private var last: Moment?
    private var fruitless = 0

    /// - Parameters:
    ///   - model: the model's schema.
    ///   - batch: positions folded in a round, at most.
    ///   - swapTime: how long the swap may fold if appends are too fast.
    package init(_ model: String, batch: Int64, swapTime: Duration) {
        (self.model, self.batch, self.swapTime) = (model, batch, swapTime)
    }

    /// - Parameters:
    ///   - position: the position up to which the new tables are folded; 0 before the first round.
    ///   - head: the log's head.
    /// - Throws: ``RebuildOutrun`` if the swap would take too long.
    package mutating func next(
        position: Int64, head: Int64, at time: ContinuousClock.Instant = .now
    ) throws(RebuildOutrun) -> Step {
        let left = head - position
        if left <= (position == 0 ? 0 : min(batch / 10, Self.remainder)) { return .swap }
        defer { last = Moment(position: position, head: head, time: time) }
        let fold = Step.fold(upTo: min(position + batch, head))
        guard let last else { return fold }
        let (folded, appended) = (Double(position - last.position), Double(head - last.head))
        fruitless = appended > folded * Self.gain ? fruitless + 1 : 0
        guard fruitless >= Self.fruitlessRounds else { return fold }
        let seconds = last.time.duration(to: time) / .seconds(1)
        guard Double(left) / folded * seconds <= swapTime / .seconds(1) else {
            throw RebuildOutrun(model: model, appended: appended / seconds, folded: folded / seconds)
        }
        return .swap
    }
}

/// Events are appended as fast as the model folds them, or faster: a rebuild does not catch up.
package struct RebuildOutrun: Error, Hashable, CustomStringConvertible {
    /// The model's schema.
    package let model: String
    /// Events a second.
    package let appended: Double
    /// Positions a second.
    package let folded: Double

    package var description: String {
        "the rebuild of \(model) does not catch up: \(Int(appended)) events a second are appended, and it folds "
            + "\(Int(folded)) a second; rebuild it when fewer are appended"
    }
}
