import Domain
import Testing

struct FaultsTests {
    @Test func `all faults are collected`() {
        var faults = Faults()
        let count = faults.check("/count", if: 0) { try IndividualCount($0) }
        let confidence = faults.check("/confidence", if: Int?.none) { try Confidence($0) }
        let notes = faults.check("/notes") { try Note("fine") }
        faults.within("/visit") { $0.add("/minutes", .required) }
        #expect(count == nil && confidence == nil && notes?.text == "fine")
        #expect(
            faults.all == [
                Fault("/count", RuleViolation(.range, "must be a whole number from 1 to 1,000,000")),
                Fault("/visit/minutes", RuleViolation(.required, "is required")),
            ])
        #expect(throws: faults) { try faults.throwIfAny() }
    }

    @Test func `changes are checked`() {
        var faults = Faults()
        let set: Change<IndividualCount> = faults.check("/count", Change.set(5)) { try IndividualCount($0) }
        let cleared: Change<IndividualCount> = faults.check("/count", Change<Int>.cleared) { try IndividualCount($0) }
        #expect(set == .set(IndividualCount(unchecked: 5)) && cleared == .cleared && faults.isEmpty)
        let wrong: Change<IndividualCount> = faults.check("/count", Change.set(0)) { try IndividualCount($0) }
        #expect(wrong == .unset && faults.all.count == 1)
    }

    @Test func `pointers are escaped`() {
        #expect(Fault.pointer("items", "0", "a/b~c") == "/items/0/a~1b~0c")
    }
}
