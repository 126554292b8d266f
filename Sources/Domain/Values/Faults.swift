/// Collects every fault of a request or a row, so that all are reported at once.
///
///     var faults = Faults()
///     let count = faults.check("/count", if: body.count) { try IndividualCount($0) }
///     let confidence = faults.require("/confidence", body.confidence) { try Confidence($0) }
///     try faults.throwIfAny()
package struct Faults: Error, Equatable, Sendable {
    /// The faults so far, in the order in which they were found.
    package private(set) var all: [Fault] = []
    /// Prepended to every pointer: the place of a part within the whole.
    private var prefix = ""

    package init() {}

    /// Starts with faults found elsewhere.
    package init(_ faults: [Fault]) {
        self.all = faults
    }

    package var isEmpty: Bool { all.isEmpty }

    /// Adds a broken rule.
    package mutating func add(_ pointer: String, _ violation: RuleViolation) {
        all.append(Fault(prefix + pointer, violation))
    }

    /// Adds faults found elsewhere, whose pointers are relative to this place.
    package mutating func add(_ faults: Faults) {
        for fault in faults.all {
            all.append(Fault(prefix + fault.pointer, RuleViolation(fault.code, fault.message)))
        }
    }

    /// The same faults of a part, seen from the whole.
    /// - Parameter place: the JSON pointer of the part.
    package func at(_ place: String) -> Faults {
        Faults(all.map { Fault(place + $0.pointer, RuleViolation($0.code, $0.message)) })
    }

    /// Makes a value, or adds the rule that it breaks; for a value with parts, all the rules that its parts break.
    ///
    /// The closure may throw ``RuleViolation`` and ``Faults``, as the domain's values do. It is not typed so, because
    /// the compiler does not infer a closure's error.
    @discardableResult
    package mutating func check<Value>(_ pointer: String, _ make: () throws -> Value) -> Value? {
        do {
            return try make()
        } catch let violation as RuleViolation {
            add(pointer, violation)
        } catch let faults as Faults {
            within(pointer) { $0.add(faults) }
        } catch {
            add(pointer, RuleViolation(.format, "could not be read"))
        }
        return nil
    }

    /// Makes a value of something that may be missing; missing is no fault.
    package mutating func check<Given, Value>(
        _ pointer: String, if given: Given?, _ make: (Given) throws -> Value
    ) -> Value? {
        guard let given else { return nil }
        return check(pointer) { try make(given) }
    }

    /// Makes a value of something that must be there.
    package mutating func require<Given, Value>(
        _ pointer: String, _ given: Given?, _ make: (Given) throws -> Value
    ) -> Value? {
        guard let given else {
            add(pointer, .required)
            return nil
        }
        return check(pointer) { try make(given) }
    }

    /// Makes a change of something that may be absent, null or given.
    package mutating func check<Given, Value>(
        _ pointer: String, _ change: Change<Given>, _ make: (Given) throws -> Value
    ) -> Change<Value> {
        switch change {
        case .unset: .unset
        case .cleared: .cleared
        case .set(let given):
            check(pointer) { try make(given) }.map(Change.set) ?? .unset
        }
    }

    /// Checks a part of the whole: pointers added inside start with its own.
    package mutating func within<Result>(_ pointer: String, _ body: (inout Faults) -> Result) -> Result {
        let outer = prefix
        prefix += pointer
        defer { prefix = outer }
        return body(&self)
    }

    /// - Throws: these faults, if there are any.
    package func throwIfAny() throws(Faults) {
        if !isEmpty { throw self }
    }

    /// Two lists are equal when they say the same in the same order.
    package static func == (one: Faults, other: Faults) -> Bool {
        one.all == other.all
    }
}
