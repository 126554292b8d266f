/// One answer of libpq's `PQgetResult` outside pipeline mode.
enum SimpleAnswer {
    case completed(rows: Int)
    case failure(PostgresError)
    case copyInBegan
    case copyOutBegan
    /// NULL: the whole command is answered.
    case end
    case unexpected
}

/// The conversation of a command that has the connection for itself: a script, or a COPY one way or the other.
///
/// A value without sockets, like `PipelineMachine`: it says what an answer means.
struct SimpleMachine {
    enum Purpose {
        case script
        case copyOut
        case copyIn
    }

    private enum Phase {
        /// Sent; the first answer is due.
        case starting
        /// Data is flowing.
        case copying
        /// Data has ended; results are due until NULL.
        case ending
    }

    enum Outcome {
        /// More answers are due.
        case more
        /// The COPY has begun: data may flow.
        case began
        /// All answered: rows affected by the last command, or the first error.
        case finished(Result<Int, PostgresError>)
        /// The conversation cannot go on.
        case outOfStep(String)
    }

    let purpose: Purpose
    private var phase = Phase.starting
    private var rows = 0
    private var failure: PostgresError?

    init(_ purpose: Purpose) {
        self.purpose = purpose
    }

    /// Whether data is flowing, so that results are not to be asked for.
    var isCopying: Bool { phase == .copying }

    mutating func receive(_ answer: SimpleAnswer) -> Outcome {
        switch answer {
        case .completed(let count):
            rows = count
            return .more
        case .failure(let error):
            failure = failure ?? error
            return .more
        case .copyInBegan: return begin(when: purpose == .copyIn)
        case .copyOutBegan: return begin(when: purpose == .copyOut)
        case .end: return finish()
        case .unexpected: return .outOfStep("an answer of a kind that is not asked for")
        }
    }

    private mutating func begin(when expected: Bool) -> Outcome {
        guard expected, phase == .starting else { return .outOfStep("COPY was begun where it cannot be continued") }
        phase = .copying
        return .began
    }

    private func finish() -> Outcome {
        if let failure { return .finished(.failure(failure)) }
        guard purpose == .script || phase == .ending else {
            return .finished(.failure(PostgresError(.encoding, "the statement is not a COPY of that direction")))
        }
        return .finished(.success(rows))
    }

    /// The last of the data has come or gone.
    mutating func endData() {
        phase = .ending
    }
}
