/// A record in the terms of ``OccurrenceColumn``, ready to be written in any format.
///
/// Its values lie one after the other in bytes, so that a row takes two allocations however many columns it has, and
/// formats copy them without making strings.
package struct OutgoingOccurrence: Sendable {
    /// How many characters of its values became a space: TAB, LF, VT, FF, CR and all other C0 controls, U+0085,
    /// U+2028 and U+2029. Formats without quotes cannot have them, and the values are the same in all formats.
    package private(set) var replacedCharacters = 0

    private var bytes: [UInt8] = []
    /// The bytes of each column; an empty range is no value.
    private var ranges = [Range<Int32>](repeating: 0..<0, count: OccurrenceColumn.allCases.count)

    /// A record without values.
    package init() {
        bytes.reserveCapacity(512)
    }

    /// The value of a column; nil for none. An empty text is none.
    ///
    /// Control characters of a value that is set become spaces.
    package subscript(column: OccurrenceColumn) -> String? {
        get {
            let value = self.bytes(of: column)
            return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
        }
        set {
            guard var text = newValue else {
                ranges[column.index] = 0..<0
                return
            }
            set(column) { bytes in text.withUTF8 { bytes.append(contentsOf: $0) } }
        }
    }

    /// Whether a column has a value.
    package func has(_ column: OccurrenceColumn) -> Bool { !ranges[column.index].isEmpty }

    /// The UTF-8 of a column's value; empty for none.
    package func bytes(of column: OccurrenceColumn) -> ArraySlice<UInt8> {
        bytes(at: column.index)
    }

    /// The UTF-8 of the value at a place in the row.
    func bytes(at index: Int) -> ArraySlice<UInt8> {
        let range = ranges[index]
        return bytes[Int(range.lowerBound)..<Int(range.upperBound)]
    }

    /// Sets a value to the UTF-8 that a closure appends; control characters become spaces.
    package mutating func set(_ column: OccurrenceColumn, _ append: (inout [UInt8]) -> Void) {
        let start = bytes.count
        append(&bytes)
        replacedCharacters += ControlCharacters.replace(in: &bytes, from: start)
        // Rows are far below 2 GB: their parts come from statements and rows that are limited.
        guard let end = Int32(exactly: bytes.count) else { return }
        ranges[column.index] = Int32(start)..<end
    }
}

extension OutgoingOccurrence: Hashable {
    package static func == (one: Self, other: Self) -> Bool {
        OccurrenceColumn.allCases.allSatisfy { one.bytes(of: $0) == other.bytes(of: $0) }
    }

    package func hash(into hasher: inout Hasher) {
        for column in OccurrenceColumn.allCases { hasher.combine(bytes(of: column)) }
    }
}

/// The characters that a value of a bulk answer may not have.
package enum ControlCharacters {
    /// Replaces each by one space.
    /// - Returns: how many there were.
    package static func replace(in bytes: inout [UInt8], from start: Int = 0) -> Int {
        // Nearly every value has none: then nothing is moved.
        guard bytes[start...].contains(where: { $0 < 0x20 || $0 == 0xC2 || $0 == 0xE2 }) else {
            return 0
        }
        var (read, write, replaced) = (start, start, 0)
        while read < bytes.count {
            let length = length(in: bytes, at: read)
            if length > 0 {
                bytes[write] = UInt8(ascii: " ")
                (read, replaced) = (read + length, replaced + 1)
            } else {
                bytes[write] = bytes[read]
                read += 1
            }
            write += 1
        }
        bytes.removeLast(read - write)
        return replaced
    }

    /// The number of bytes of the control character that begins there; 0 for none.
    private static func length(in bytes: [UInt8], at index: Int) -> Int {
        let rest = bytes.count - index
        return switch bytes[index] {
        case 0..<0x20: 1
        case 0xC2 where rest > 1 && bytes[index + 1] == 0x85: 2
        case 0xE2 where rest > 2 && bytes[index + 1] == 0x80 && (bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9):
            3
        default: 0
        }
    }
}
