/// Occurrences as GeoJSON features with a point, or with no geometry where a record has no public place. The properties
/// are the columns, null where a record has no value.
///
/// - Source: RFC 7946, RFC 8142.
package struct GeoJSONOccurrenceEncoder: OccurrenceEncoder {
    /// How features follow each other.
    package enum Form: Sendable {
        /// One FeatureCollection, a feature on each line.
        case collection
        /// A text sequence: a feature on each line, after a record separator.
        case sequence
    }

    package private(set) var replacedCharacters = 0
    private let form: Form
    private var isFirst = true

    package init(_ form: Form) {
        self.form = form
    }

    package mutating func begin(into bytes: inout [UInt8]) {
        if form == .collection { bytes.append(contentsOf: #"{"type":"FeatureCollection","features":["#.utf8) }
    }

    package mutating func append(_ occurrence: OutgoingOccurrence, to bytes: inout [UInt8]) {
        replacedCharacters += occurrence.replacedCharacters
        switch form {
        case .collection:
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "\n"))
            Self.append(feature: occurrence, to: &bytes)
        case .sequence:
            bytes.append(0x1E)
            Self.append(feature: occurrence, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        isFirst = false
    }

    package mutating func end(into bytes: inout [UInt8]) {
        if form == .collection { bytes.append(contentsOf: "\n]}\n".utf8) }
    }

    private static func append(feature occurrence: OutgoingOccurrence, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: #"{"type":"Feature","id":"#.utf8)
        append(string: occurrence.bytes(of: .occurrenceID), to: &bytes)
        bytes.append(contentsOf: #","geometry":"#.utf8)
        append(point: occurrence, to: &bytes)
        bytes.append(contentsOf: #","properties":{"#.utf8)
        for (index, property) in properties.enumerated() {
            bytes.append(contentsOf: property.key)
            let value = occurrence.bytes(at: index)
            if value.isEmpty {
                bytes.append(contentsOf: "null".utf8)
            } else if property.isBare, JSONNumber.isNumber(value) {
                bytes.append(contentsOf: value)
            } else {
                append(string: value, to: &bytes)
            }
        }
        bytes.append(contentsOf: "}}".utf8)
    }

    private static func append(point occurrence: OutgoingOccurrence, to bytes: inout [UInt8]) {
        let latitude = occurrence.bytes(of: .decimalLatitude)
        let longitude = occurrence.bytes(of: .decimalLongitude)
        guard JSONNumber.isNumber(latitude), JSONNumber.isNumber(longitude) else {
            bytes.append(contentsOf: "null".utf8)
            return
        }
        bytes.append(contentsOf: #"{"type":"Point","coordinates":["#.utf8)
        bytes.append(contentsOf: longitude)
        bytes.append(UInt8(ascii: ","))
        bytes.append(contentsOf: latitude)
        bytes.append(contentsOf: "]}".utf8)
    }

    /// Values have no control characters: only quotes and backslashes need an escape.
    private static func append(string value: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        bytes.append(quote)
        if value.contains(where: { $0 == quote || $0 == backslash }) {
            for byte in value {
                if byte == quote || byte == backslash { bytes.append(backslash) }
                bytes.append(byte)
            }
        } else {
            bytes.append(contentsOf: value)
        }
        bytes.append(quote)
    }

    /// The names of the columns as members, with their punctuation, and whether values are numbers.
    private static let properties = OccurrenceColumn.allCases.map { column in
        let key = (column.index == 0 ? "" : ",") + "\"\(column.name)\":"
        return (key: Array(key.utf8), isBare: column.kind == .integer || column.kind == .decimal)
    }
}

/// Numbers as JSON has them.
enum JSONNumber {
    /// Whether a text is one: a minus sign, digits without leading zeros, a fraction and an exponent.
    static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = rest
        guard takeDigits(&rest) else { return false }
        if whole.first == UInt8(ascii: "0"), whole.count > rest.count + 1 { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard takeDigits(&rest) else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
            guard takeDigits(&rest) else { return false }
        }
        return rest.isEmpty
    }

    private static func takeDigits(_ text: inout ArraySlice<UInt8>) -> Bool {
        let before = text.count
        text = text.drop(while: isDigit)
        return text.count < before
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
