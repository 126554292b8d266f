import Domain
import EventLog
import Foundation
import HummingbirdTesting
import JSON

/// A way to find out where a generalised record was made. It guesses only from evidence: without any, the best guess is
/// the middle of the cell.
struct Attack: Sendable {
    let name: String
    let guess: @Sendable (MappedRecord, Reconnaissance) -> Spot?

    static let all = [
        appearance, counts, ids, order, counters, days, history, observer, boxes,
    ]

    /// The open records that appeared on the map together with it.
    static let appearance = Attack(name: "appearance") { record, seen in
        guard let poll = seen.polls.firstIndex(where: { $0.records.contains { $0.id == record.id } }) else {
            return nil
        }
        let together = seen.appeared(in: poll)
        return .middle(of: seen.neighbours(of: record) { together.contains($0.id) })
    }

    /// The open records that appeared when the map counted more than it showed.
    static let counts = Attack(name: "counts") { record, seen in
        let excess = seen.polls.map { $0.count - $0.records.count }
        let risen = excess.indices.first { $0 > 0 && excess[$0] > excess[$0 - 1] }
        guard let risen else { return nil }
        let together = seen.appeared(in: risen)
        return .middle(of: seen.neighbours(of: record) { together.contains($0.id) })
    }

    /// Records whose ids begin with the same minutes.
    static let ids = Attack(name: "ids") { record, seen in
        guard let time = milliseconds(record.id) else { return nil }
        return .middle(
            of: seen.neighbours(of: record) { abs((milliseconds($0.id) ?? 0) - time) < 1_800_000 })
    }

    /// The time that an id of version 7 begins with.
    static func milliseconds(_ id: String) -> Int? { Int(id.filter { $0 != "-" }.prefix(12), radix: 16) }

    /// Neighbours in the list, if both are of one observer.
    static let order = Attack(name: "order") { record, seen in
        guard let index = seen.map.records.firstIndex(of: record), index > 0, index + 1 < seen.map.records.count else {
            return nil
        }
        let neighbours = [seen.map.records[index - 1], seen.map.records[index + 1]]
        let observers = Set(neighbours.map { seen.observer(of: $0.id) })
        guard observers.count == 1, neighbours.allSatisfy({ $0.spot.cell == record.spot.cell }) else { return nil }
        return .middle(of: neighbours.map(\.spot))
    }

    /// Events between two writes of one's own that the map does not show.
    static let counters = Attack(name: "counters") { record, seen in
        for counter in Counters(seen.ownAnswers.map { ($0.headers, try? $0.json) }).found {
            let steps = zip(counter.dropFirst(), counter).map { $0 - $1 }
            guard let usual = steps.sorted().dropFirst(steps.count / 2).first else { continue }
            for (step, events) in steps.enumerated() where events > usual {
                let spots = seen.neighbours(of: record) { seen.appeared(in: step + 1).contains($0.id) }
                if let middle = Spot.middle(of: spots) { return middle }
            }
        }
        return nil
    }

    /// The open records of the day on which the record appears, if others appear on other days.
    static let days = Attack(name: "days") { record, seen in
        func first(_ id: String) -> String? { seen.days.first { $0.poll.records.contains { $0.id == id } }?.day }
        guard let day = first(record.id), Set(seen.hidden.map { first($0.id) }).count > 1 else { return nil }
        return seen.neighbours(of: record) { seen.representations[$0.id]?["recordedOn"]?.string == day }.first
    }

    /// The border between two cells that a history or two days show.
    static let history = Attack(name: "history") { record, seen in
        var spots = Set(seen.days.flatMap(\.poll.records).filter { $0.id == record.id }.map(\.spot))
        spots.insert(record.spot)
        for entry in seen.histories[record.id]?["items"]?.items ?? [] {
            let changes = entry["changes"]?.items ?? []
            func value(_ field: String, _ side: String) -> Double? {
                changes.first { $0["field"]?.string == field }?[side]?.double
            }
            for side in ["before", "after"] {
                let latitude = value("latitude", side) ?? record.spot.latitude
                spots.insert(Spot(latitude: latitude, longitude: value("longitude", side) ?? record.spot.longitude))
            }
        }
        return spots.count > 1 ? .middle(of: Array(spots)) : nil
    }

    /// Other records of the observer on that day.
    static let observer = Attack(name: "observer") { record, seen in
        guard let observer = seen.observer(of: record.id), let day = seen.day(of: record.id) else { return nil }
        return .middle(
            of: seen.neighbours(of: record) { seen.observer(of: $0.id) == observer && seen.day(of: $0.id) == day })
    }

    /// The smallest box in which the record is counted.
    static let boxes = Attack(name: "boxes") { record, seen in seen.boxes[record.id] }
}

extension Reconnaissance {
    func observer(of id: String) -> String? { representations[id]?["observer"]?["id"]?.string }

    func day(of id: String) -> Substring? { representations[id]?["observedAt"]?.string?.prefix(10) }
}
