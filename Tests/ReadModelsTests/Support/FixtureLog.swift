import Domain
import Foundation
import TestSupport

/// Streams made of the payloads in `Tests/DomainTests/Fixtures/events`: of every kind and every way in which such a
/// stream begins, with all its other events in the order of the catalogue.
enum FixtureLog {
    /// - Parameters:
    ///   - first: the shape of the payload a stream begins with.
    ///   - others: the shape of the others.
    static func streams(first: String, others: String) throws -> [[GeneratedEvent]] {
        try EventCatalogue.chapters.enumerated().flatMap { number, chapter in
            try chapter.events.filter(\.isComplete).enumerated().map { ordinal, beginning in
                let id = id(of: chapter.stream, ordinal, first, others)
                let rest = chapter.events.filter { !$0.isComplete }
                return [try event(id, chapter.stream, beginning.type, first)]
                    + (try rest.map { try event(id, chapter.stream, $0.type, others) })
            }
        }
    }

    /// Every combination of shapes that a stream may have.
    static func all() throws -> [GeneratedEvent] {
        let shapes = [
            ("all", "all"), ("all", "fewest"), ("fewest", "all"), ("fewest", "fewest"), ("all", "redacted"),
            ("redacted", "all"),
        ]
        return try shapes.flatMap { try streams(first: $0.0, others: $0.1).flatMap { $0 } }
    }

    private static func event(
        _ id: UUID, _ stream: StreamKind, _ type: String, _ shape: String
    ) throws -> GeneratedEvent {
        // Redacting a redaction is rejected, so it has no tombstone.
        let shape = type == PayloadRedacted.type && shape == "redacted" ? "all" : shape
        let file = PackageRoot.path + "/Tests/DomainTests/Fixtures/events/\(type).\(shape).json"
        return GeneratedEvent(id, stream.rawValue, type, payload: try String(contentsOfFile: file, encoding: .utf8))
    }

    /// The streams of whole payloads have the ids that the payloads of other streams name.
    private static func id(of stream: StreamKind, _ ordinal: Int, _ first: String, _ others: String) -> UUID {
        let shapes = ["all": 0, "fewest": 1, "redacted": 2]
        let base =
            switch stream {
            case .account: 1
            case .taxon: 20
            case .dataset: 40
            case .photo: 120
            case .targets: 140 + 20 * ordinal
            case .export: 180
            case .sighting: 60 + 20 * ordinal
            }
        return number(base + 3 * (shapes[first] ?? 0) + (shapes[others] ?? 0))
    }

    static func number(_ number: Int) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255)))
    }
}
