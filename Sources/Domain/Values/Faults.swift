import JSON

/// A rule that one value breaks, without the value's place in a request or a file.
///
/// Values throw it from their initialisers; ``Faults`` adds the place.
package struct RuleViolation: Error, Hashable, Sendable {
    /// The sort of rule, for programs.
    package let code: FaultCode
    /// The rule in words, for people: "must be a whole number from 1 to 1,000,000".
    package let message: String

    package init(_ code: FaultCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// The sorts of rules a value can break.
package enum FaultCode: String, CaseIterable, Hashable, Sendable, Codable {
    /// A member that must be there is not.
    case required
    /// Another JSON type than the rule names.
    case type
    /// A number or a time outside its bounds.
    case range
    /// A text of another form than the rule names.
    case format
    /// A text too short or too long.
    case length
    /// A word outside a closed vocabulary.
    case vocabulary
    /// Two members that contradict each other.
    case conflict
    /// An id or a code that names nothing known.
    case unknown
    /// A member that this request does not have.
    case unexpected
}

extension RuleViolation {
    /// The member is missing.
    package static let required = RuleViolation(.required, "is required")

    /// The value is not the id of a taxon that is known.
    package static let unknownTaxon = RuleViolation(.unknown, "must be the id of a taxon of the catalogue")

    /// The value is not the code of a region that is known.
    package static let unknownRegion = RuleViolation(.range, "must be the code of a region (GET /v1/regions)")

    /// The value is not the id of a dataset that is known.
    package static let unknownDataset = RuleViolation(.unknown, "must be the id of a dataset of the service, or none")

    /// The period ends before it begins.
    package static let endBeforeBeginning = RuleViolation(.conflict, "must not be after to")

    /// The day, in UTC, is not over.
    package static let dayNotOver = RuleViolation(.range, "must be a day that is over (GET /v1/log)")

    /// The value is not one of a closed set of words.
    package static func vocabulary(_ words: [String]) -> RuleViolation {
        RuleViolation(.vocabulary, "must be one of \(words.joined(separator: ", "))")
    }

    /// The value is not a whole number within bounds.
    package static func wholeNumber(_ range: ClosedRange<Int>) -> RuleViolation {
        let (low, high) = (Self.grouped(range.lowerBound), Self.grouped(range.upperBound))
        return RuleViolation(.range, "must be a whole number from \(low) to \(high)")
    }

    /// The number of items in a list is outside a range.
    package static func itemCount(_ range: ClosedRange<Int>) -> RuleViolation {
        RuleViolation(.length, "must have \(range.lowerBound) to \(grouped(range.upperBound)) items")
    }

    /// A whole number with commas between groups of three digits, as messages show it.
    package static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }
}

/// One thing wrong with a request or a row: where, which sort of rule, and the rule in words.
package struct Fault: Hashable, Sendable {
    /// The place of the value, as a JSON pointer: "/visit/minutes", "" for the whole document.
    /// - Source: RFC 6901.
    package let pointer: String
    /// The sort of rule that it breaks.
    package let code: FaultCode
    /// The rule in words; it never repeats the value.
    package let message: String

    package init(_ pointer: String, _ violation: RuleViolation) {
        self.pointer = pointer
        self.code = violation.code
        self.message = violation.message
    }

    /// The pointer that leads through object members and array items of these names, escaped.
    /// - Source: RFC 6901 section 3.
    package static func pointer(_ tokens: String...) -> String {
        JSONPointer.text(tokens)
    }
}

/// Collects every fault of a request or a row, so that all are reported at once.
///
///     var faults = Faults()
///     let count = faults.check("/count", if: body.count) { try IndividualCount($0) }
///     let notes = faults.check("/notes") { try Note(body.notes) }
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

    /// Both lists, one after the other.
    package static func + (one: Faults, other: Faults) -> Faults {
        Faults(one.all + other.all)
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
