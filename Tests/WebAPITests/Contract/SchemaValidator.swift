import Domain
import Foundation
import JSON

@testable import Web

/// Holds values against schemas of the document. It knows the keywords that the document uses and rejects any other,
/// so that no rule is silently left out.
/// - Source: JSON Schema 2020-12.
struct SchemaValidator {
    let document: OpenAPIDocument

    /// Everything wrong with a value; empty when it fits.
    func faults(_ value: JSONValue, _ schema: JSONValue, at pointer: String = "") throws -> [String] {
        let schema = try document.resolve(schema)
        var faults: [String] = []
        for keyword in schema.members {
            let found = try check(value, keyword.name, keyword.value, schema, pointer)
            faults += found.map { $0.hasPrefix("/") || $0.hasPrefix(" ") ? $0 : "\(pointer) \($0)" }
        }
        return faults
    }

    private func check(
        _ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: JSONValue, _ pointer: String
    ) throws -> [String] {
        switch keyword {
        case "description", "default", "example", "examples", "title": []
        case "type": hasType(value, rule) ? [] : ["is of type \(value.typeName)"]
        case "enum": rule.items.contains(value) ? [] : ["is none of the words"]
        case "const": value == rule ? [] : ["is not the constant"]
        case "properties", "required", "additionalProperties":
            try checkObject(value, keyword, rule, schema, pointer)
        case "items", "minItems", "maxItems", "uniqueItems": try checkArray(value, keyword, rule, pointer)
        case "minLength", "maxLength", "pattern", "format": try checkText(value, keyword, rule)
        case "minimum", "maximum", "exclusiveMinimum": checkNumber(value, keyword, rule)
        case "oneOf", "anyOf", "allOf", "not": try checkComposition(value, keyword, rule, pointer)
        case "if": try checkCondition(value, rule, schema, pointer)
        case "then", "else": []
        default: ["has the unknown keyword \(keyword) in its schema"]
        }
    }

    private func hasType(_ value: JSONValue, _ rule: JSONValue) -> Bool {
        let types = rule.text.map { [$0] } ?? rule.items.compactMap(\.text)
        return types.contains { type in
            switch (type, value) {
            case ("null", .null), ("boolean", .boolean), ("string", .string), ("array", .array), ("object", .object),
                ("integer", .integer), ("number", .integer), ("number", .number):
                true
            case ("integer", .number(let number)): number == number.rounded()
            default: false
            }
        }
    }

    private func checkObject(
        _ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: JSONValue, _ pointer: String
    ) throws -> [String] {
        guard case .object(let members) = value else { return [] }
        switch keyword {
        case "required":
            return rule.items.compactMap(\.text).filter { value[$0] == nil }.map { "\(pointer)/\($0) is missing" }
        case "properties":
            return try members.flatMap { member in
                try rule[member.name].map { try faults(member.value, $0, at: "\(pointer)/\(member.name)") } ?? []
            }
        default:
            guard rule == .boolean(false) else { return ["has additionalProperties other than false"] }
            return members.filter { schema["properties"]?[$0.name] == nil }.map { "\(pointer)/\($0.name) is unknown" }
        }
    }

    private func checkArray(
        _ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ pointer: String
    ) throws -> [String] {
        guard case .array(let items) = value else { return [] }
        switch (keyword, rule) {
        case ("minItems", .integer(let least)): return items.count >= least ? [] : ["has too few items"]
        case ("maxItems", .integer(let most)): return items.count <= most ? [] : ["has too many items"]
        case ("uniqueItems", _):
            let isUnique = items.indices.allSatisfy { !items[..<$0].contains(items[$0]) }
            return isUnique || rule == .boolean(false) ? [] : ["has an item twice"]
        default: return try items.enumerated().flatMap { try faults($1, rule, at: "\(pointer)/\($0)") }
        }
    }

    private func checkText(_ value: JSONValue, _ keyword: String, _ rule: JSONValue) throws -> [String] {
        guard let text = value.text else { return [] }
        switch (keyword, rule) {
        case ("minLength", .integer(let least)): return text.unicodeScalars.count >= least ? [] : ["is too short"]
        case ("maxLength", .integer(let most)): return text.unicodeScalars.count <= most ? [] : ["is too long"]
        case ("pattern", .string(let pattern)):
            // Patterns are about code points; those of Swift are about characters.
            let expression = try NSRegularExpression(pattern: pattern)
            let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text))
            return match != nil ? [] : ["does not match \(pattern)"]
        case ("format", .string(let format)): return hasFormat(text, format) ? [] : ["is no \(format)"]
        default: return ["has a rule of another type"]
        }
    }

    private func hasFormat(_ text: String, _ format: String) -> Bool {
        switch format {
        case "uuid": UUID(uuidString: text) != nil && text == text.lowercased()
        case "date-time": (try? Instant(text)) != nil
        case "date": (try? CivilDate(text)) != nil
        case "email": (try? EmailAddress(text)) != nil
        case "uri-reference": URL(string: text) != nil
        default: false
        }
    }

    private func checkNumber(_ value: JSONValue, _ keyword: String, _ rule: JSONValue) -> [String] {
        guard let number = value.number, let bound = rule.number else { return [] }
        let isGood =
            switch keyword {
            case "minimum": number >= bound
            case "maximum": number <= bound
            default: number > bound
            }
        return isGood ? [] : ["is out of bounds"]
    }

    private func checkCondition(
        _ value: JSONValue, _ condition: JSONValue, _ schema: JSONValue, _ pointer: String
    ) throws -> [String] {
        let branch = try faults(value, condition, at: pointer).isEmpty ? "then" : "else"
        return try schema[branch].map { try faults(value, $0, at: pointer) } ?? []
    }

    private func checkComposition(
        _ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ pointer: String
    ) throws -> [String] {
        if keyword == "not" { return try faults(value, rule, at: pointer).isEmpty ? ["is what it must not be"] : [] }
        let branches = try rule.items.map { try faults(value, $0, at: pointer) }
        let fitting = branches.count(where: \.isEmpty)
        let isGood =
            switch keyword {
            case "oneOf": fitting == 1
            case "anyOf": fitting >= 1
            default: fitting == branches.count
            }
        return isGood ? [] : ["fits \(fitting) of \(keyword)"] + branches.joined()
    }
}
