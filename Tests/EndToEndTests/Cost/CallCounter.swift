import Foundation
import TestSupport
import Testing

/// Counts the calls of a service's process that cost time, from outside: see `counted_calls.c`.
struct CallCounter: Sendable {
    struct Counts: Sendable {
        /// Of `malloc` and the like.
        var allocations: UInt64
        /// Of `swift_task_switch`: whenever a function may go on with another executor.
        var switches: UInt64

        /// The calls since an earlier moment, for each of some requests.
        func since(_ earlier: Counts, for requests: Int) -> Counts {
            Counts(
                allocations: (allocations - earlier.allocations) / UInt64(requests),
                switches: (switches - earlier.switches) / UInt64(requests))
        }
    }

    private let folder: String

    /// - Parameter folder: receives the library and the counters.
    init(in folder: String) async throws {
        self.folder = folder
        try Data(count: 16).write(to: URL(filePath: folder + "/counts"))
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "counted_calls.c").path
        compiler.arguments = ["clang", "-O2", "-shared", "-fPIC", "-o", folder + "/counted.so", source, "-ldl"]
        _ = try await compiler.output()
        try #require(compiler.terminationStatus == 0)
    }

    /// The environment of the service.
    var environment: [String: String] {
        ["LD_PRELOAD": folder + "/counted.so", "SKEIN_COUNTS": folder + "/counts"]
    }

    var counts: Counts {
        get throws {
            let bytes = try Data(contentsOf: URL(filePath: folder + "/counts"))
            return bytes.withUnsafeBytes {
                Counts(
                    allocations: $0.load(as: UInt64.self), switches: $0.load(fromByteOffset: 8, as: UInt64.self))
            }
        }
    }
}
