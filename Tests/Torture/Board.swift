import FoundationEssentials
import NIOConcurrencyHelpers
import TestRandom

/// Sightings that several clients change at the same time, each expecting the version that it knows.
final class Board: Sendable {
    struct Entry: Sendable {
        var stream: UUID
        var account: UUID
        var version: Int
    }

    /// Few, so that clients collide.
    private static let capacity = 6

    private let entries = NIOLockedValueBox<[Entry]>([])

    /// Adds a sighting for everyone to change; if the board is full, it replaces another.
    func add(_ entry: Entry, _ random: inout RandomSource) {
        let place = random.int(in: 0...Self.capacity - 1)
        entries.withLockedValue { entries in
            if place < entries.count { entries[place] = entry } else { entries.append(entry) }
        }
    }

    /// A random sighting, perhaps only of one account.
    func pick(of account: UUID? = nil, _ random: inout RandomSource) -> Entry? {
        let all = entries.withLockedValue { $0 }.filter { account == nil || $0.account == account }
        return all.isEmpty ? nil : random.element(of: all)
    }

    /// Announces a newer version.
    func learned(_ stream: UUID, version: Int) {
        entries.withLockedValue { entries in
            guard let index = entries.firstIndex(where: { $0.stream == stream }) else { return }
            entries[index].version = max(version, entries[index].version)
        }
    }
}
