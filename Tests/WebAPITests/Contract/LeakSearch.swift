import Bytes
import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore

@testable import Web

/// Looks through an answer for positions of the log, and for moments at which something was recorded.
struct LeakSearch {
    /// The positions that events were given while answers were collected.
    let positions: ClosedRange<Int64>
    /// From the first of those events to the last.
    let moments: ClosedRange<Instant>

    /// Names of members that hold a position, or did.
    static let positionNames: Set = ["position", "logPosition", "head", "checkpoint", "lag", "sequence"]
    /// Names of members that hold a moment of recording.
    static let momentNames: Set = ["recordedAt", "endedAt", "createdAt", "submittedAt"]

    /// Everything in an answer that gives a position away and, where the answer is public, a moment.
    func leaks(in answer: TestResponse, isPublic: Bool) throws -> [String] {
        // The length of the body is a number, too, and may happen to be a position.
        let length = String(answer.body.readableBytes)
        let inHeaders = answer.headers.filter { $0.name != .contentLength || $0.value != length }.flatMap { field in
            leaks(in: field.value, isPublic: isPublic).map { "\(field.name): \($0)" }
        }
        if answer.headers[.contentType]?.hasPrefix("image/") == true { return inHeaders }
        guard answer.headers[.contentType]?.contains("json") == true else {
            return inHeaders + leaks(in: String(buffer: answer.body), isPublic: isPublic)
        }
        return inHeaders + leaks(in: try answer.json, at: "", isPublic: isPublic)
    }

    func leaks(in value: JSONValue, at path: String, isPublic: Bool) -> [String] {
        switch value {
        case .null, .boolean: []
        case .integer(let number): positions.contains(Int64(number)) ? ["\(path) is position \(number)"] : []
        case .number(let number): isEpochTime(number) && isPublic ? ["\(path) is the time \(number)"] : []
        case .string(let text): leaks(in: text, isPublic: isPublic).map { "\(path) \($0)" }
        case .array(let items):
            items.enumerated().flatMap { leaks(in: $1, at: "\(path)/\($0)", isPublic: isPublic) }
        case .object(let members):
            members.flatMap { member in
                let name = member.name
                let isTold = Self.positionNames.contains(name) || isPublic && Self.momentNames.contains(name)
                return (isTold ? ["\(path)/\(name) is a member"] : [])
                    + leaks(in: member.value, at: "\(path)/\(name)", isPublic: isPublic)
            }
        }
    }

    /// Positions in decimal digits, or in bytes behind base 64; times as RFC 3339 writes them.
    func leaks(in text: String, isPublic: Bool) -> [String] {
        var leaks = text.split { !$0.isLetter && !$0.isNumber }.compactMap { Int64($0) }.filter(positions.contains)
            .map { "has position \($0)" }
        for word in text.split(whereSeparator: { " \"<>=&?/,;".contains($0) }) where word.utf8.count >= 11 {
            // Epoch and version are before the first hyphen or dot.
            for part in [word, word.drop { $0 != "-" }.dropFirst(), word.drop { $0 != "." }.dropFirst()] {
                if let bytes = Base64.url.decode(part), let position = position(in: bytes) {
                    leaks.append("has position \(position) in base 64")
                }
            }
        }
        if isPublic {
            leaks += text.matches(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/)
                .filter { (try? Instant(String($0.0))).map(moments.contains) ?? false }.map { "has the time \($0.0)" }
        }
        return leaks
    }

    /// Read once, whatever the number of positions: every eight bytes as a number, and every run of as many digits as a
    /// position has.
    private func position(in bytes: [UInt8]) -> Int64? {
        let lengths = "\(positions.lowerBound)".utf8.count..."\(positions.upperBound)".utf8.count
        for start in bytes.indices {
            let eight = bytes[start...].prefix(8)
            if eight.count == 8 {
                let number = eight.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                let read = [Int64(bitPattern: number), Int64(bitPattern: number.byteSwapped)]
                if let position = read.first(where: positions.contains) { return position }
            }
            let digits = bytes[start...].prefix(lengths.upperBound).prefix { (0x30...0x39).contains($0) }
            for length in lengths where length <= digits.count {
                let position = digits.prefix(length).reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
                if positions.contains(position) { return position }
            }
        }
        return nil
    }

    /// Seconds, milliseconds or microseconds since 1970.
    private func isEpochTime(_ number: Double) -> Bool {
        [1, 1e3, 1e6].contains { unit in
            let micros = number / unit * 1e6
            return micros > 1e15 && micros < 9e18 && moments.contains(Instant(microsecondsSince1970: Int64(micros)))
        }
    }
}
