import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import Testing

@testable import WebAPI

/// A record on a public map.
struct MappedRecord: Hashable, Sendable {
    private(set) var id: String
    let spot: Spot
    let isGeneralised: Bool

    init?(_ feature: JSONValue) {
        guard let id = feature["id"]?.string, case .array(let place)? = feature["geometry"]?["coordinates"],
            let longitude = place.first?.double, let latitude = place.last?.double
        else { return nil }
        (self.id, spot) = (id, Spot(latitude: latitude, longitude: longitude))
        isGeneralised = (feature["properties"]?["uncertaintyMetres"]?.double ?? 0) > 1_000
    }

    func with(id: String) -> MappedRecord {
        var record = self
        record.id = id
        return record
    }
}

/// The map at one moment, as a client saw it.
struct Poll: Sendable {
    /// As the answer counts them.
    let count: Int
    /// In the order of the answer.
    var records: [MappedRecord]

    init(_ response: TestResponse) throws {
        count = try response["records"]?.double.map { Int($0) } ?? 0
        records = try (try response["features"]?.items ?? []).map { try #require(MappedRecord($0)) }
    }
}

/// Everything that clients could learn by public answers and by the answers to their own writes.
struct Reconnaissance: Sendable {
    /// The map after each outing, as one who polls sees it.
    var polls: [Poll] = []
    /// The answers to a birder who submits something elsewhere after each outing.
    var ownAnswers: [TestResponse] = []
    /// The map when all months are over.
    var map: Poll
    /// The records of that map by their ids: their representations and their histories.
    var representations: [String: JSONValue] = [:]
    var histories: [String: JSONValue] = [:]
    /// The map as of the end of each day on which something was recorded.
    var days: [(day: String, poll: Poll)] = []
    /// The smallest box, among those tried by halving, in which a generalised record is counted.
    var boxes: [String: Spot] = [:]
    var photos: PhotoReconnaissance

    var hidden: [MappedRecord] { map.records.filter(\.isGeneralised) }
    var open: [MappedRecord] { map.records.filter { !$0.isGeneralised } }

    /// Open records in the cell of a hidden one that pass a test.
    func neighbours(of record: MappedRecord, where isOne: (MappedRecord) -> Bool) -> [Spot] {
        open.filter { $0.spot.cell == record.spot.cell && isOne($0) }.map(\.spot)
    }

    /// An id as it would be if it began with the time of its record's outing, as keys of version 7 do; outings are two
    /// hours apart.
    func timed(_ id: String, of record: String?) -> String {
        let outing = polls.firstIndex { $0.records.contains { $0.id == record } } ?? 0
        let digits = String(outing * 7_200_000, radix: 16)
        return String(repeating: "0", count: 12 - digits.count) + digits + id
    }

    /// The ids that a poll has and the one before does not.
    func appeared(in poll: Int) -> Set<String> {
        let before = poll > 0 ? Set(polls[poll - 1].records.map(\.id)) : []
        return Set(polls[poll].records.map(\.id)).subtracting(before)
    }
}

extension JSONValue {
    /// A number of either kind.
    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}
