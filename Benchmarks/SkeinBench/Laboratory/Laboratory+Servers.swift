import Foundation
import PrivateServer

/// Servers that a measure may kill, freeze and promote.
extension Laboratory {
    /// Runs something with a new server, removed afterwards.
    func withServer<Value>(_ body: (PrivateServer) async throws -> Value) async throws -> Value {
        try await with(body) { try await .startOrAdopt(dataDirectory: $0, logger: logger) }
    }

    /// Runs something with a new server and a streaming standby of it, both removed afterwards.
    func withStreamingPair<Value>(_ body: (PrivateServer, PrivateServer) async throws -> Value) async throws -> Value {
        try await withServer { primary in
            try await with({ try await body(primary, $0) }) {
                try await primary.startStandby(dataDirectory: $0, logger: logger)
            }
        }
    }

    private func with<Value>(
        _ body: (PrivateServer) async throws -> Value, start: (String) async throws -> PrivateServer
    ) async throws -> Value {
        let folder = folder + "/" + UUID().uuidString
        let server = try await start(folder)
        let result: Result<Value, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        try await Self.remove(server, in: folder, mode: .immediate)
        return try result.get()
    }
}
