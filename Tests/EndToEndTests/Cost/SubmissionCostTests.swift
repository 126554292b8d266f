import Foundation
import TestSupport
import Testing

/// The work for a submission in numbers that do not depend on how fast or how busy the machine is.
struct SubmissionCostTests {
    @Test(.hangs) func `a submission takes few allocations and switches of tasks`() async throws {
        try await ServedSkein.inFolder { folder in
            let counter = try await CallCounter(in: folder)
            let unlimited = ["SKEIN_UNVERIFIED_DAILY_SIGHTINGS": "0"]
            try await ServedSkein.run(counter.environment.merging(unlimited) { $1 }) { service in
                let birder = try await Birder.register(service)
                try await Self.submit(birder, 160)
                let before = try counter.counts
                try await Self.submit(birder, 960)
                let each = try counter.counts.since(before, for: 960)
                // When they were first counted: 1,174 and 152 in a build for debugging, 235 and 116 in one for release.
                // Half of that shows that the counters count.
                #expect((600...1_400).contains(each.allocations), "\(each)")
                #if arch(x86_64)
                    #expect((75...190).contains(each.switches), "\(each)")
                #endif
            }
        }
    }

    /// Sixteen at a time: what the service does now and then is shared by many.
    private static func submit(_ birder: Birder, _ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<(count / 16) {
                        let answer = try await birder.submit()
                        #expect(answer.status == 201)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
