internal import Bytes
internal import Crypto
internal import Domain
internal import EventLog
internal import Exchange
internal import FoundationEssentials

/// A row as it came, in one form whatever the order of its columns, its quoting and its encoding.
struct OccurrenceContent: Sendable {
    /// A JSON object: Darwin Core terms by name, in the order of the names; other columns under `dynamicProperties`.
    let json: [UInt8]
    /// SHA-256 of ``json``.
    let digest: [UInt8]
    /// The same in digits.
    let fingerprint: Fingerprint
    /// nil where the row has none.
    let occurrenceID: String?

    /// The record's stream.
    /// - Parameter ordinal: of rows without an id and with the same content, the how many-eth this is, from 1.
    func stream(in dataset: DatasetID, ordinal: Int) -> UUID {
        if let occurrenceID { return CommandID.named("occurrence", dataset.description, "id", occurrenceID) }
        return CommandID.named("occurrence", dataset.description, "row", fingerprint.text, String(ordinal))
    }

    /// What is kept beside the log: the row, and the name by which its taxon was looked for.
    func record(verbatimName: String?) -> String {
        guard let verbatimName else { return String(decoding: json, as: UTF8.self) }
        var bytes = Array(#"{"verbatimName":"#.utf8)
        RecordText.append(verbatimName, to: &bytes)
        if json.count > 2 { bytes.append(UInt8(ascii: ",")) }
        bytes += json.dropFirst()
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Puts rows of one file into their canonical form.
struct OccurrenceContentReader: Sendable {
    private let terms: [DarwinCoreTerm]
    private let hasForeignColumns: Bool

    init(columns: [OccurrenceColumn]) {
        terms = columns.compactMap(\.term).sorted { $0.name < $1.name }
        hasForeignColumns = columns.contains { $0.term == nil }
    }

    func content(of row: OccurrenceRow) throws -> OccurrenceContent {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        bytes.reserveCapacity(512)
        let foreign = hasForeignColumns ? row.foreignValues.sorted { $0.name < $1.name } : []
        for term in terms where foreign.isEmpty || term != .dynamicProperties {
            guard let value = row[term] else { continue }
            Self.append(term.name, value, to: &bytes)
        }
        if !foreign.isEmpty {
            Self.separate(&bytes)
            RecordText.append(DarwinCoreTerm.dynamicProperties.name, to: &bytes)
            bytes += [UInt8(ascii: ":"), UInt8(ascii: "{")]
            if let own = row[.dynamicProperties] { Self.append(DarwinCoreTerm.dynamicProperties.name, own, to: &bytes) }
            for (name, value) in foreign { Self.append(name, value, to: &bytes) }
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: "}"))
        let id = row[.occurrenceID].flatMap { $0.trimmed.isEmpty ? nil : $0 }
        let digest = Array(SHA256.hash(data: bytes))
        return OccurrenceContent(
            json: bytes, digest: digest, fingerprint: try Fingerprint(bytes: digest), occurrenceID: id)
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        separate(&bytes)
        RecordText.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        RecordText.append(value, to: &bytes)
    }

    private static func separate(_ bytes: inout [UInt8]) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    }
}

/// Strings as JSON.
/// - Source: RFC 8259 section 7.
enum RecordText {
    private static let digits = Array("0123456789abcdef".utf8)

    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { source in
            bytes.append(UInt8(ascii: "\""))
            if source.allSatisfy(isPlain) {
                bytes.append(contentsOf: source)
            } else {
                for byte in source { append(byte, to: &bytes) }
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0..<0x20: bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        default: bytes.append(byte)
        }
    }
}
