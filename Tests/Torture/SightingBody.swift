import EventLog
import FoundationEssentials
import JSON
import TestRandom
import TestSupport

/// A sighting as a birder sends it.
struct SightingBody: Encodable, Sendable {
    var name: String
    var count: Int
    var confidence: Int
    var observedAt: String
    var latitude: Double
    var longitude: Double
    /// Never repeats, so that another sighting's is noticed in its place.
    var notes: String
    var geoprivacy: String?

    private static let names = [
        "Pacific Wren", "Bald Eagle", "Anna's Hummingbird", "Setophaga petechia", "Spotted Owl", "a brown bird",
    ]

    private static let remarks = ["in the hedge", "Zaunkönig im Efeu", "ミソサザイ", "a \"wren\" \\ or two", "🪶"]

    /// A random place in North America and a random day of the last years.
    static func random(_ random: inout RandomSource) -> SightingBody {
        SightingBody(
            name: random.element(of: names), count: random.int(in: 1...40), confidence: random.int(in: 1...10),
            observedAt: "20\(random.int(in: 10...24))-0\(random.int(in: 1...9))-1\(random.int(in: 0...9))",
            latitude: random.double(in: 31...48), longitude: random.double(in: -122 ... -75),
            notes: "\(random.element(of: remarks)), \(random.uuid())",
            geoprivacy: random.isTrue(oneIn: 4) ? "obscured" : nil)
    }

    /// The command to submit it.
    func command(_ key: UUID, by account: UUID) -> History.Command {
        let id = CommandID.derive(account: account, command: "SubmitSighting", key: key)
        return History.Command(
            id: id, stream: CommandID.stream(kind: "sighting", of: id), actor: account, events: [event])
    }

    /// The event that it becomes, as far as the birder knows.
    private var event: History.Command.Event {
        History.Command.Event(
            type: "SightingSubmitted",
            payload: .members(["count": .integer(count), "confidence": .integer(confidence)]),
            content: ["notes": notes, "verbatimName": name])
    }
}

/// A birder's correction; notes never repeat, so that every correction changes something.
struct CorrectionBody: Encodable, Sendable {
    var notes: String
    var count: Int

    /// Another count than the version it corrects has: those of even and odd versions differ.
    static func of(_ entry: Board.Entry, _ key: UUID, _ random: inout RandomSource) -> CorrectionBody {
        CorrectionBody(
            notes: "seen again, \(key)", count: 1_000 * (entry.version % 2 + 1) + random.int(in: 1...999))
    }

    /// The event that it becomes, as far as the birder knows.
    var event: History.Command.Event {
        History.Command.Event(
            type: "SightingCorrected", payload: .members(["count": .integer(count)]), content: ["notes": notes])
    }
}

/// An item of a batch.
struct BatchItem: Encodable, Sendable {
    var key: UUID
    var sighting: SightingBody
}

/// A batch.
struct BatchBody: Encodable, Sendable {
    var items: [BatchItem]
}

/// The result of one item of a batch.
struct BatchAnswer: Decodable {
    struct Item: Decodable {
        struct Sighting: Decodable {
            var version: Int
        }

        var status: Int
        var sighting: Sighting?
    }

    var items: [Item]
}
