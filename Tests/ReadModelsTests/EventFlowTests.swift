import Domain
import EventLog
import Foundation
import ReadModels
import TestSupport
import Testing

struct EventFlowTests {
    @Test func `docs/event-flow.md is what the code makes of it`() throws {
        try Self.compare("docs/event-flow.md", Self.markdown())
    }

    @Test(arguments: ReadModel.all)
    func `each model's list of events is what the code makes of it`(model: ReadModel) throws {
        let folder = model.name.split(separator: "_").map(\.capitalized).joined()
        try Self.compare("Sources/ReadModels/\(folder)/\(model.name).events.sql", Self.sql(model))
    }

    private static func compare(_ path: String, _ text: String) throws {
        let file = URL(fileURLWithPath: PackageRoot.path + "/" + path)
        if ProcessInfo.processInfo.environment["SKEIN_WRITE_GENERATED"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(
            try String(contentsOf: file, encoding: .utf8) == text,
            "\(path): run the tests once with SKEIN_WRITE_GENERATED=1, and raise the version of a model that changed")
    }

    @Test func `every event is folded by some read model`() {
        for chapter in EventCatalogue.chapters {
            for event in chapter.events {
                #expect(!Self.models(folding: event, of: chapter.stream).isEmpty, "\(event.type)")
            }
        }
    }

    private static func markdown() -> String {
        var lines = [
            "# The flow of events", "",
            "Every event of the log: what it means, which command decides it, and which read models fold it. This page",
            "is generated from the code; a test compares the two.", "",
            "*Knowledge* is never applied to responses about positions before it; a *restriction* always is.",
        ]
        for chapter in EventCatalogue.chapters {
            lines += ["", "## \(chapter.stream.rawValue)", ""]
            lines += ["| event | meaning | decided by | effect | folded by |", "|---|---|---|---|---|"]
            lines += chapter.events.map { row($0, of: chapter.stream) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ event: EventDescription, of stream: StreamKind) -> String {
        let effect =
            switch event.effect {
            case .knowledge: "knowledge"
            case .restriction: "restriction"
            case .either(let text): text
            }
        let models = models(folding: event, of: stream).joined(separator: ", ")
        return "| `\(event.type)` | \(event.meaning) | \(event.decidedBy) | \(effect) | \(models) |"
    }

    private static func models(folding event: EventDescription, of stream: StreamKind) -> [String] {
        ReadModel.all.filter { $0.events[stream.rawValue]?.contains(event.type) ?? false }.map(\.name)
    }

    /// The function `folded_events` of a model.
    private static func sql(_ model: ReadModel) -> String {
        var rows: [String] = []
        for chapter in EventCatalogue.chapters {
            let types = model.events[chapter.stream.rawValue] ?? []
            rows += chapter.events.filter { types.contains($0.type) }.map { sqlRow($0, of: chapter.stream) }
        }
        return """
            -- Generated from the descriptions of events in Sources/Domain by EventFlowTests (SKEIN_WRITE_GENERATED=1).
            --
            -- folded_events(): the events that change this model's rows.
            --   effect    knowledge | restriction | either (its payload decides)
            --   status    the status it gives its subject; null: none
            --   complete  whether its payload has everything that must be known of the stream's subject
            --   essential whether the subject counts as redacted when the payload is
            create function folded_events()
            returns table (stream text, type text, effect text, status text, complete boolean, essential boolean)
            language sql immutable parallel safe as $$
            values
                \(rows.joined(separator: ",\n    "))
            $$;

            """
    }

    private static func sqlRow(_ event: EventDescription, of stream: StreamKind) -> String {
        let effect =
            switch event.effect {
            case .knowledge: "knowledge"
            case .restriction: "restriction"
            case .either: "either"
            }
        let status = event.status.map { "'\($0)'" } ?? "null::text"
        return "('\(stream.rawValue)', '\(event.type)', '\(effect)', \(status), \(event.isComplete), "
            + "\(event.isEssential))"
    }
}
