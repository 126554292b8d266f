package import EventLog

/// The state of a read model.
package struct ModelStatus: Sendable {
    /// How far a model follows the log.
    package enum State: Sendable, Hashable {
        case notInstalled
        /// It has events that the log has lost.
        case ahead
        /// Folding the next events has failed.
        case failing(Checkpoint.Failure)
        /// More than ``ReadModel/toleratedLag`` positions behind.
        case behind
        case following
    }

    package let name: String
    /// The version that this build of the service uses.
    package let version: Int
    /// The last position folded; nil where it is not installed.
    package let position: Int64?
    /// Positions between its checkpoint and the head.
    package let lag: Int64
    package let state: State

    init(_ model: ReadModel, _ checkpoints: [Checkpoint], head: Int64) {
        let checkpoint = checkpoints.first { $0.name == model.name && $0.version == model.version }
        name = model.name
        version = model.version
        position = checkpoint?.position
        lag = max(0, head - (checkpoint?.position ?? 0))
        state =
            if let checkpoint {
                if checkpoint.position > head {
                    .ahead
                } else if let failure = checkpoint.failure {
                    .failing(failure)
                } else {
                    lag > ReadModel.toleratedLag ? .behind : .following
                }
            } else {
                .notInstalled
            }
    }

    /// Failures since it last moved.
    package var failures: Int {
        if case .failing(let failure) = state { failure.count } else { 0 }
    }

    /// The fault in words; nil for none.
    package var fault: String? {
        switch state {
        case .notInstalled: "not installed"
        case .ahead: "ahead of the log, which has lost events: rebuild it"
        case .failing(let failure):
            "failing at \(position ?? 0): SQLSTATE \(failure.sqlState), \(failure.count) failures"
        case .behind: "more than \(ReadModel.toleratedLag) positions behind"
        case .following: nil
        }
    }
}
