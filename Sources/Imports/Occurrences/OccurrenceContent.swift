import Bytes
import Crypto
import Domain
import EventLog
import Exchange
import FoundationEssentials
import JSON
import Service

/// A row's original content, in one form whatever the order of its columns, its quoting and its encoding.
struct OccurrenceContent: Sendable {
    /// A JSON object: Darwin Core terms by name, in the order of the names; other columns under `dynamicProperties`.
    let json: [UInt8]
    /// SHA-256 of ``json``.
    let digest: [UInt8]
    /// The hash in hexadecimal.
    let fingerprint: Fingerprint
    /// nil if the row has none.
    let occurrenceID: String?

    /// The record's stream.
    /// - Parameters:
    ///   - ordinal: 1-based ordinal among identical rows without an id.
    ///   - signer: with the key of the log: without one, the place of a row could be guessed from the id.
    func stream(in dataset: DatasetID, ordinal: Int, by signer: CommandSigner) -> UUID {
        if let occurrenceID { return signer.occurrence(occurrenceID, in: dataset) }
        return Self.stream(of: fingerprint, in: dataset, ordinal: ordinal, by: signer)
    }

    /// The stream of a record whose row has no id.
    static func stream(
        of fingerprint: Fingerprint, in dataset: DatasetID, ordinal: Int, by signer: CommandSigner
    ) -> UUID {
        signer.id(of: "occurrence", dataset.description, "row", fingerprint.text, String(ordinal))
    }

    /// The content kept beside the log: the row, and the name by which its taxon was looked up.
    func record(verbatimName: String?) -> String {
        guard let verbatimName else { return String(decoding: json, as: UTF8.self) }
        var writer = JSONWriter(capacity: json.count + 64, escapes: .numeric)
        writer.object { writer in
            writer.field("verbatimName", verbatimName)
            if json.count > 2 { writer.json(json.dropFirst().dropLast()) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Puts rows of one file into their canonical form.
struct OccurrenceContentReader: Sendable {
    private let terms: [DarwinCoreTerm]
    private let hasForeignColumns: Bool

    init(columns: [SourceColumn]) {
        terms = columns.compactMap(\.term).sorted { $0.name < $1.name }
        hasForeignColumns = columns.contains { $0.term == nil }
    }

    /// The contents of a chunk's records; nil for those that cannot be read.
    func contents(of chunk: ImportChunk) throws -> [OccurrenceContent?] {
        try chunk.records.map { record in
            guard case .occurrence(let row) = record else { return nil }
            return try content(of: row)
        }
    }

    func content(of row: OccurrenceRow) throws -> OccurrenceContent {
        var writer = JSONWriter(capacity: 512, escapes: .numeric)
        let foreign = hasForeignColumns ? row.foreignValues.sorted { $0.name < $1.name } : []
        writer.object { writer in
            for term in terms where foreign.isEmpty || term != .dynamicProperties {
                guard let value = row[term] else { continue }
                writer.field(named: term.name, value)
            }
            if !foreign.isEmpty { write(foreign, of: row, to: &writer) }
        }
        let id = row[.occurrenceID].flatMap { $0.trimmed.isEmpty ? nil : $0 }
        let digest = Array(SHA256.hash(data: writer.bytes))
        return OccurrenceContent(
            json: writer.bytes, digest: digest, fingerprint: try Fingerprint(bytes: digest), occurrenceID: id)
    }

    private func write(
        _ foreign: [(name: String, value: String)], of row: OccurrenceRow, to writer: inout JSONWriter
    ) {
        let properties = DarwinCoreTerm.dynamicProperties.name
        writer.key(named: properties)
        writer.object { writer in
            if let own = row[.dynamicProperties] { writer.field(named: properties, own) }
            for (name, value) in foreign { writer.field(named: name, value) }
        }
    }
}
