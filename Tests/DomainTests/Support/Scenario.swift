import Testing

@testable import Domain

/// A decider under test: given events, when a command, then events or a rejection.
///
///     given(SightingDecider.self, [.submitted(sample)])
///         .when(.withdraw(request))
///         .then([.withdrawn(SightingWithdrawn(reason: .mistake))])
struct Scenario<Deciding: Decider> {
    let state: Deciding.State

    /// The command that is decided in the state.
    func when(_ command: Deciding.Command) -> Outcome {
        do throws(Deciding.Rejection) {
            return Outcome(state: state, result: .success(try Deciding.decide(command, state)))
        } catch {
            return Outcome(state: state, result: .failure(error))
        }
    }

    /// The outcome of a command.
    struct Outcome {
        let state: Deciding.State
        let result: Result<Decision<Deciding.State.Event>, Deciding.Rejection>

        /// Expects exactly these events.
        @discardableResult
        func then(
            _ events: [Deciding.State.Event], sourceLocation: SourceLocation = #_sourceLocation
        ) -> Outcome {
            switch result {
            case .success(let decision):
                #expect(decision.events == events, sourceLocation: sourceLocation)
                let read = decision.events.map { try? Deciding.State.Event(type: $0.type, payload: $0.payload) }
                #expect(read == decision.events, "decided events read back", sourceLocation: sourceLocation)
            case .failure(let rejection):
                Issue.record("rejected: \(rejection)", sourceLocation: sourceLocation)
            }
            return self
        }

        /// Expects that nothing happens.
        @discardableResult
        func thenNothing(sourceLocation: SourceLocation = #_sourceLocation) -> Outcome {
            then([], sourceLocation: sourceLocation)
        }

        /// Expects exactly these texts beside the log.
        @discardableResult
        func keeps(_ content: [ContentWrite], sourceLocation: SourceLocation = #_sourceLocation) -> Outcome {
            #expect(decision?.content == content, sourceLocation: sourceLocation)
            return self
        }

        /// Expects a rejection.
        func thenRejected(_ expected: Deciding.Rejection, sourceLocation: SourceLocation = #_sourceLocation) {
            switch result {
            case .success(let decision):
                Issue.record("not rejected: \(decision.events)", sourceLocation: sourceLocation)
            case .failure(let rejection):
                #expect(rejection == expected, sourceLocation: sourceLocation)
            }
        }

        /// The decision; nil for a rejection.
        var decision: Decision<Deciding.State.Event>? { try? result.get() }

        /// The state after what was decided.
        var next: Deciding.State {
            var next = state
            for event in decision?.events ?? [] { next.evolve(event) }
            return next
        }
    }
}

/// Begins a scenario with the events of a stream.
func given<Deciding: Decider>(_: Deciding.Type, _ events: [Deciding.State.Event] = []) -> Scenario<Deciding> {
    Scenario(state: Deciding.State(replaying: events))
}

/// Begins a scenario in a state.
func given<Deciding: Decider>(_: Deciding.Type, _ state: Deciding.State) -> Scenario<Deciding> {
    Scenario(state: state)
}
