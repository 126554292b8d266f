import Bytes
import Domain
import Foundation
import HTTPTypes
import JSON

@testable import WebAPI

/// Looks in a client's own answers for numbers that count the events of the log: those that grow with each answer, and
/// not by much. Numbers may be written in digits, or in bytes as hexadecimal or base 64. Timestamps do not count
/// events: their digits grow with the time that a client waited.
struct Counters {
    /// Each with its value in every answer.
    let found: [[Int]]

    init(_ answers: [(headers: HTTPFields, body: JSONValue?)]) {
        let numbers = answers.map(Self.numbers)
        guard let first = numbers.first else {
            found = []
            return
        }
        found = first.keys.sorted().compactMap { place in
            let values = numbers.compactMap { $0[place] }
            guard values.count == numbers.count, zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }),
                let start = values.first, let end = values.last, end - start < 50 * values.count
            else { return nil }
            return values
        }
    }

    private static func numbers(in answer: (headers: HTTPFields, body: JSONValue?)) -> [String: Int] {
        var numbers: [String: Int] = [:]
        for field in answer.headers { add(field.value, "header \(field.name)", &numbers) }
        if let body = answer.body { add(body, "", &numbers) }
        return numbers
    }

    private static func add(_ value: JSONValue, _ path: String, _ numbers: inout [String: Int]) {
        switch value {
        case .integer(let number): numbers[path] = number
        case .string(let text): add(text, path, &numbers)
        case .array(let items): for (index, item) in items.enumerated() { add(item, "\(path)/\(index)", &numbers) }
        case .object(let members): for member in members { add(member.value, "\(path)/\(member.name)", &numbers) }
        case .null, .boolean, .number: break
        }
    }

    private static func add(_ text: String, _ path: String, _ numbers: inout [String: Int]) {
        if (try? Instant(text)) != nil { return }
        for (index, word) in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }).enumerated() {
            numbers["\(path) \(index)"] = Int(word)
        }
        let hexadecimal = Array(text.filter(\.isHexDigit))
        add(
            stride(from: 0, to: hexadecimal.count - 1, by: 2).compactMap {
                UInt8(String(hexadecimal[$0...($0 + 1)]), radix: 16)
            }, path + " hexadecimal", &numbers)
        if let end = text.split(separator: "-", maxSplits: 1).last, let bytes = Base64.url.decode(end) {
            add(bytes, path + " base 64", &numbers)
        }
    }

    /// Every eight bytes in a row.
    private static func add(_ bytes: [UInt8], _ path: String, _ numbers: inout [String: Int]) {
        guard bytes.count >= 8 else { return }
        for start in 0...(bytes.count - 8) {
            let window = bytes[start..<(start + 8)]
            numbers["\(path) \(start)"] = Int(truncatingIfNeeded: window.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
        }
    }
}
