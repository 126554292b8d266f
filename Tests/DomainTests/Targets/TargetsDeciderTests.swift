import Testing

@testable import Domain

struct TargetsDeciderTests {
    private let region = RegionCode(unchecked: "alaska")
    private let week: ISOWeek
    private let choice: TargetsChosen
    private let target: ChosenTarget

    init() throws {
        week = try ISOWeek("2026-W18")
        target = ChosenTarget(
            id: Samples.id(141), taxon: Samples.id(21), basis: .records, difficulty: .easy, score: nil)
        choice = TargetsChosen(
            region: region, week: week, zone: .utc, startsAt: Instant(startOf: week.monday),
            endsAt: Instant(startOf: week.adding(weeks: 1).monday), asOf: 17, rules: 1, activeObservers: 3,
            targets: [target], relaxed: [])
    }

    private func plan(_ taxa: [TaxonID], hasBegun: Bool = false) -> TargetsCommand {
        .plan(PlanTargets(region: region, week: week, taxa: taxa, hasBegun: hasBegun))
    }

    private func replacement(by taxon: UInt8, of target: TargetID? = nil, at moment: Instant? = nil) -> TargetsCommand {
        .replace(
            ReplaceTarget(
                target: target ?? self.target.id, replacement: substitute(taxon), reason: .absent,
                at: moment ?? choice.startsAt))
    }

    private func substitute(_ taxon: UInt8) -> ChosenTarget {
        ChosenTarget(id: Samples.id(taxon + 200), taxon: Samples.id(taxon), basis: .plan, difficulty: nil, score: nil)
    }

    @Test func `the first choice counts`() {
        given(TargetsDecider.self).when(.choose(choice)).then([.chosen(choice)])
        given(TargetsDecider.self, [.chosen(choice)]).when(.choose(choice)).thenNothing()
        given(TargetsDecider.self, [.chosen(choice)]).when(.miss(TargetsMissed(region: region, week: week)))
            .thenNothing()
    }

    @Test func `a missed week stays missed`() {
        let missed = TargetsMissed(region: region, week: week)
        given(TargetsDecider.self).when(.miss(missed)).then([.missed(missed)])
        given(TargetsDecider.self, [.missed(missed)]).when(.choose(choice)).thenNothing()
        given(TargetsDecider.self, [.redacted(EveryEvent.redacted(TargetsChosen.type))]).when(.choose(choice))
            .thenNothing()
    }

    @Test func `a plan is for weeks that have not begun`() {
        let planned = TargetsPlanned(region: region, week: week, taxa: [Samples.id(21)])
        given(TargetsDecider.self).when(plan([Samples.id(21)])).then([.planned(planned)])
        given(TargetsDecider.self, [.planned(planned)]).when(plan([Samples.id(21)])).thenNothing()
        given(TargetsDecider.self, [.planned(planned)]).when(plan([]))
            .then([.planned(TargetsPlanned(region: region, week: week, taxa: []))])
        given(TargetsDecider.self).when(plan([Samples.id(21)], hasBegun: true)).thenRejected(.weekHasBegun)
        given(TargetsDecider.self, [.chosen(choice)]).when(plan([Samples.id(21)])).thenRejected(.weekHasBegun)
        given(TargetsDecider.self).when(plan([Samples.id(21), Samples.id(21)])).thenRejected(.tooMany)
        given(TargetsDecider.self).when(plan((1...4).map { Samples.id($0) })).thenRejected(.tooMany)
    }

    @Test func `a target is replaced in its week, by a species that was none`() {
        let replaced = TargetReplaced(target: target.id, replacement: substitute(22), reason: .absent)
        given(TargetsDecider.self, [.chosen(choice)]).when(replacement(by: 22)).then([.replaced(replaced)])
        given(TargetsDecider.self).when(replacement(by: 22)).thenRejected(.noRunningWeek)
        given(TargetsDecider.self, [.chosen(choice)]).when(replacement(by: 22, at: choice.endsAt))
            .thenRejected(.noRunningWeek)
        given(TargetsDecider.self, [.chosen(choice)]).when(replacement(by: 22, at: choice.startsAt.adding(seconds: -1)))
            .thenRejected(.noRunningWeek)
        given(TargetsDecider.self, [.chosen(choice)]).when(replacement(by: 22, of: Samples.id(9)))
            .thenRejected(.unknownTarget)
        let then: [TargetsEvent] = [.chosen(choice), .replaced(replaced)]
        given(TargetsDecider.self, then).when(replacement(by: 21, of: substitute(22).id)).thenRejected(.alreadyTarget)
        given(TargetsDecider.self, then).when(replacement(by: 23)).thenRejected(.unknownTarget)
        #expect(TargetsState(replaying: then).targets == [substitute(22)])
    }
}
