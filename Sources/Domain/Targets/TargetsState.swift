/// The state of the targets of one region and week, from its events.
package struct TargetsState: Aggregate {
    /// The outcome of the week.
    package enum Outcome: Equatable, Sendable {
        /// Nothing yet.
        case open
        case chosen(TargetsChosen)
        case missed
        /// Chosen, but the payload was redacted.
        case redacted
    }

    package private(set) var outcome = Outcome.open
    /// The species that are fixed for the week.
    package private(set) var plan: [TaxonID] = []
    /// The targets as they are now.
    package private(set) var targets: [ChosenTarget] = []
    /// Targets that were replaced, the first one first.
    package private(set) var replaced: [Replaced] = []

    /// A former target.
    package struct Replaced: Equatable, Sendable {
        package var target: ChosenTarget
        package var by: TargetID
        package var reason: ReplacementReason
    }

    package init() {}

    package mutating func evolve(_ event: TargetsEvent) {
        switch event {
        case .planned(let payload):
            plan = payload.taxa
        case .chosen(let payload):
            (outcome, targets) = (.chosen(payload), payload.targets)
        case .missed:
            outcome = .missed
        case .replaced(let payload):
            guard let index = targets.firstIndex(where: { $0.id == payload.target }) else { return }
            replaced.append(
                Replaced(target: targets[index], by: payload.replacement.id, reason: payload.reason))
            targets[index] = payload.replacement
        case .redacted(let event):
            if event.type == TargetsChosen.type { outcome = .redacted }
            if event.type == TargetsMissed.type { outcome = .missed }
        case .payloadRedacted:
            break
        }
    }
}
