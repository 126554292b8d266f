import ArgumentParser
import Domain
import Web

/// Reads the options of a command as requests read their fields, and collects all faults.
struct OptionReader: FieldReader {
    /// The texts that were given, by the names of the API.
    private let texts: [String: String]
    private var faults: [String] = []

    init(_ texts: [String: String]) {
        self.texts = texts
    }

    mutating func required<Given: FieldValue, Value>(
        _ name: String, _ type: Given.Type, _ make: (Given) throws(RuleViolation) -> Value
    ) -> Value? {
        if texts[name] == nil { note(name, .required) }
        return optional(name, type, make)
    }

    mutating func optional<Given: FieldValue, Value>(
        _ name: String, _ type: Given.Type, _ make: (Given) throws(RuleViolation) -> Value
    ) -> Value? {
        guard let text = texts[name] else { return nil }
        do throws(RuleViolation) {
            return try make(try Given(field: text))
        } catch {
            note(name, error)
            return nil
        }
    }

    /// Words separated by commas.
    mutating func optionalWords<Value>(
        _ name: String, count: ClosedRange<Int>, _ make: (String) throws(RuleViolation) -> Value
    ) -> [Value]? {
        optional(name) { (text) throws(RuleViolation) in
            let words = text.split(separator: ",", omittingEmptySubsequences: false)
            guard count.contains(words.count) else { throw .itemCount(count) }
            var values: [Value] = []
            for word in words { values.append(try make(String(word))) }
            return values
        }
    }

    mutating func note(_ name: String, _ violation: RuleViolation) {
        faults.append("\(Self.option(name)) \(violation.message)")
    }

    /// - Throws: `ValidationError` with all faults, a line each.
    mutating func finish() throws {
        guard faults.isEmpty else { throw ValidationError(faults.joined(separator: "\n")) }
    }

    /// The option of a name of the API.
    private static func option(_ name: String) -> String {
        name.reduce(into: "--") { option, character in
            if character.isUppercase { option.append("-") }
            option += character.lowercased()
        }
    }
}
