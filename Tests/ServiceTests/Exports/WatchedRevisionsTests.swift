import Domain
import Foundation
import NIOConcurrencyHelpers
import ReadModels
import Testing

@testable import Service

struct WatchedRevisionsTests {
    private static let key = CurrentRevision.Key(ExportID(UUID()), 1)
    private static let moment = PublicMoment(known: 1, shown: 2)

    @Test func `a download goes on for five minutes after the last look`() {
        let now = NIOLockedValueBox(ContinuousClock.now)
        let watched = WatchedRevisions { now.withLockedValue(\.self) }
        let begun = now.withLockedValue(\.self)
        #expect(!watched.isCurrent(Self.key))
        watched.note(Self.key, Self.moment, at: begun)
        let download = watched.begin(Self.key)
        now.withLockedValue { $0 = begun + .seconds(299) }
        #expect(watched.isCurrent(Self.key) && watched.mayGoOn(download))
        now.withLockedValue { $0 = begun + .seconds(301) }
        #expect(!watched.isCurrent(Self.key) && !watched.mayGoOn(download))
        watched.note(Self.key, Self.moment, at: begun + .seconds(300))
        #expect(watched.mayGoOn(download))
    }

    @Test func `a download that began before a restriction ends; one that began after a doubt goes on`() {
        let watched = WatchedRevisions()
        watched.note(Self.key, Self.moment, at: .now)
        let first = watched.begin(Self.key)
        watched.end(Self.key)
        let second = watched.begin(Self.key)
        #expect(!watched.mayGoOn(first) && watched.mayGoOn(second))
        watched.forget(Self.key)
        #expect(!watched.mayGoOn(second) && watched.keys.isEmpty)
        let other = CurrentRevision.Key(ExportID(UUID()), 1)
        watched.note(other, Self.moment, at: .now)
        watched.note(Self.key, Self.moment, at: .now)
        // What was restricted once stays ended.
        #expect(!watched.mayGoOn(second) && watched.mayGoOn(watched.begin(other)))
    }
}
