import Foundation
import Logging
import Testing

@testable import PrivateServer

/// A folder in `/tmp` that a server may live in, gone afterwards.
@discardableResult
func withScratchFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let path = "/tmp/skein-test-" + UUID().uuidString.prefix(8)
    try Folder.make(path, mode: 0o755)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}

/// A private server on a data directory of its own, stopped afterwards whatever happened.
@discardableResult
func withPrivateServer<Value>(_ body: (PrivateServer, String) async throws -> Value) async throws -> Value {
    try await withScratchFolder { path in
        let server = try await PrivateServer.startOrAdopt(
            dataDirectory: path, settings: .tests, logger: Logger(label: "test"))
        do {
            let value = try await body(server, path)
            #expect(try await server.stop() != .leftToOthers)
            return value
        } catch {
            _ = try? await server.stop(mode: .immediate)
            throw error
        }
    }
}

extension PrivateServer {
    /// The number of the server's first process, from the first line of `postmaster.pid`; nil when it does not run.
    var postmaster: Int32? {
        let text = try? String(contentsOfFile: homeDirectory + "/data/postmaster.pid", encoding: .utf8)
        return text?.split(separator: "\n").first.flatMap { Int32($0) }
    }
}
