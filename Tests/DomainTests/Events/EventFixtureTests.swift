import Domain
import Foundation
import Testing

/// One payload for every type of event and every shape that the log may hold, in `Fixtures/events`. A file is never
/// edited: the log holds such payloads for ever. A new shape is a new file, `<Type>.<shape>.json`.
struct EventFixtureTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/events")

    @Test func `every event has all members, the fewest, and a tombstone; no file is of an unknown event`() throws {
        let files = Set(try FileManager.default.contentsOfDirectory(atPath: Self.folder.path))
        let types = Set(EventCatalogue.chapters.flatMap(\.events).map(\.type))
        for type in types {
            let shapes = type == PayloadRedacted.type ? ["all", "fewest"] : ["all", "fewest", "redacted"]
            for shape in shapes { #expect(files.contains("\(type).\(shape).json"), "\(type), \(shape)") }
        }
        for file in files { #expect(types.contains(String(file.prefix { $0 != "." })), "\(file)") }
    }

    @Test func `every payload reads, and a whole one is written back byte for byte`() throws {
        for file in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) {
            let parts = file.split(separator: ".").map(String.init)
            let payload = Array(try Data(contentsOf: Self.folder.appendingPathComponent(file)).dropLast())
            for chapter in EventCatalogue.chapters where chapter.events.contains(where: { $0.type == parts[0] }) {
                let written = try Self.rewritten(chapter.stream, type: parts[0], payload)
                #expect(parts[1] == "redacted" || written == payload, "\(file)")
            }
        }
    }

    private static func rewritten(_ stream: StreamKind, type: String, _ payload: [UInt8]) throws -> [UInt8] {
        switch stream {
        case .account: try AccountEvent(type: type, payload: payload).payload
        case .dataset: try DatasetEvent(type: type, payload: payload).payload
        case .export: try ExportEvent(type: type, payload: payload).payload
        case .photo: try PhotoEvent(type: type, payload: payload).payload
        case .sighting: try SightingEvent(type: type, payload: payload).payload
        case .targets: try TargetsEvent(type: type, payload: payload).payload
        case .taxon: try TaxonEvent(type: type, payload: payload).payload
        }
    }
}
