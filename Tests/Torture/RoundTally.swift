import FoundationEssentials
import TestSupport

/// How much of what can go wrong a round has tried. One that tried too little proves nothing.
struct RoundTally: Sendable {
    /// Sightings submitted.
    var submitted = 0
    /// Photos uploaded.
    var photos = 0
    /// Exports downloaded.
    var exports = 0
    /// Accounts erased.
    var erasures = 0
    /// Commands told of a conflict.
    var conflicts = 0
    /// Commands whose outcome was unknown at first, and then known.
    var resolved = 0
    /// Sendings of a command after its acknowledgement.
    var repeats = 0
    /// Sendings of a command while another sending of it was under way.
    var twins = 0
    /// Looks at the checkpoints.
    var looks = 0

    /// The least that a round needs.
    static let minimum = RoundTally(
        submitted: 100, photos: 5, exports: 1, erasures: 1, conflicts: 10, resolved: 5, repeats: 20, twins: 5, looks: 30
    )

    private var numbers: [(name: String, number: Int)] {
        [
            ("sightings", submitted), ("photos", photos), ("exports", exports), ("erasures", erasures),
            ("conflicts", conflicts),
            ("outcomes unknown at first", resolved),
            ("repeats", repeats), ("twins", twins), ("looks at checkpoints", looks),
        ]
    }

    /// A violation for each number that is too small.
    var shortfalls: [String] {
        zip(numbers, Self.minimum.numbers).compactMap { own, least in
            own.number < least.number ? "only \(own.number) \(own.name); a round needs \(least.number)" : nil
        }
    }

    /// Such as `120 sightings, 9 conflicts`.
    var description: String {
        numbers.map { "\($0.number) \($0.name)" }.joined(separator: ", ")
    }
}

extension RoundTally {
    init(_ recorder: Recorder) {
        submitted = recorder.submitted.count
        looks = recorder.looks
        exports = recorder.exports
        let history = recorder.history
        erasures = history.erased.count
        for (command, sendings) in Dictionary(grouping: history.sendings, by: \.command) {
            let answers = sendings.map(\.answer)
            let isUpload = history.commands[command]?.events[0].type == "PhotoUploaded"
            if isUpload, answers.contains(where: \.isAcknowledgement) { photos += 1 }
            if answers.contains(.conflict) { conflicts += 1 }
            if answers.contains(.unknown), answers.contains(where: { $0 != .unknown }) { resolved += 1 }
            let known = sendings.filter(\.answer.isAcknowledgement).map(\.answered).min()
            if let known { repeats += sendings.count { $0.sent >= known } }
            let byTime = sendings.sorted { $0.sent < $1.sent }
            twins += zip(byTime, byTime.dropFirst()).count { $1.sent < $0.answered }
        }
    }
}
