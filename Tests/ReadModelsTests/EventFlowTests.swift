import Domain
import EventLog
import Foundation
import ReadModels
import TestSupport
import Testing

@Suite("The flow of events")
struct EventFlowTests {
    @Test("docs/event-flow.md is what the code makes of it")
    func page() throws {
        let file = URL(fileURLWithPath: PackageRoot.path + "/docs/event-flow.md")
        let page = Self.markdown()
        if ProcessInfo.processInfo.environment["SKEIN_WRITE_GENERATED"] != nil {
            try Data(page.utf8).write(to: file)
        }
        #expect(
            try String(contentsOf: file, encoding: .utf8) == page, "run the tests once with SKEIN_WRITE_GENERATED=1")
    }

    @Test("every event is folded by some read model")
    func folded() {
        for event in EventCatalogue.chapters.flatMap(\.events) {
            #expect(!Self.models(folding: event.type).isEmpty, "\(event.type)")
        }
    }

    private static func markdown() -> String {
        var lines = [
            "# The flow of events", "",
            "Every event of the log: what it means, which command decides it, and which read models fold it. Generated",
            "from the code; a test holds the two together.", "",
            "*Knowledge* is never applied to answers about positions before it; a *restriction* always is.",
        ]
        for chapter in EventCatalogue.chapters {
            lines += ["", "## \(chapter.stream.rawValue)", ""]
            lines += ["| event | meaning | decided by | effect | folded by |", "|---|---|---|---|---|"]
            lines += chapter.events.map(row)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ event: EventDescription) -> String {
        let effect =
            switch event.effect {
            case .knowledge: "knowledge"
            case .restriction: "restriction"
            case .either(let text): text
            }
        let models = models(folding: event.type).joined(separator: ", ")
        return "| `\(event.type)` | \(event.meaning) | \(event.decidedBy) | \(effect) | \(models) |"
    }

    /// The models whose SQL names the event.
    private static func models(folding type: String) -> [String] {
        ReadModel.all.filter { ($0.table + $0.fold).contains("'\(type)'") }.map(\.name)
    }
}
