import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// A stream of events, read over a connection of its own.
struct EventReader {
    /// What comes between two blank lines: a comment has an empty name.
    typealias Fields = [String: String]

    let response: HTTPClientResponse
    private var body: HTTPClientResponse.Body.AsyncIterator
    private var text = ""

    init(_ port: Int, _ caller: Caller, _ query: String = "", headers: [String: String] = [:]) async throws {
        self.init(try await Self.open(port, caller, query, headers: headers))
    }

    init(_ response: HTTPClientResponse) {
        self.response = response
        body = response.body.makeAsyncIterator()
    }

    /// Opens a stream; again while a read model is behind, as clients do.
    static func open(
        _ port: Int, _ caller: Caller, _ query: String = "", headers: [String: String] = [:]
    ) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/v1/me/events\(query)")
        request.headers = ["Authorization": "Bearer \(caller.token ?? "")"]
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        var response: HTTPClientResponse?
        try await until("a read model stays behind") {
            response = try await HTTPClient.shared.execute(request, timeout: .minutes(10))
            guard let answer = response, answer.status == .serviceUnavailable else { return true }
            let problem = String(buffer: try await answer.body.collect(upTo: 10_000))
            try #require(problem.contains("model-behind"), "\(problem)")
            return false
        }
        return try #require(response)
    }

    /// The next block; nil at the end of the stream.
    mutating func block() async throws -> Fields? {
        while true {
            if let end = text.firstRange(of: "\n\n") {
                let lines = text[..<end.lowerBound].split(separator: "\n")
                text.removeSubrange(..<end.upperBound)
                return Fields(
                    lines.map { line in
                        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                        return (String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
                    }, uniquingKeysWith: { $0 + "\n" + $1 })
            }
            guard let more = try await body.next() else { return nil }
            text += String(buffer: more)
        }
    }

    /// The next event: other blocks are skipped.
    mutating func event() async throws -> Fields? {
        while let block = try await block() {
            if block["event"] != nil { return block }
        }
        return nil
    }

    /// The numbers and kinds of the next events.
    mutating func events(_ count: Int) async throws -> [String] {
        var found: [String] = []
        while found.count < count, let event = try await event() {
            found.append("\(event["id"] ?? "") \(event["event"] ?? "")")
        }
        return found
    }

    /// Whether the stream ends, and well, whatever comes before.
    mutating func ends() async -> Bool {
        do {
            while try await block() != nil {}
            return true
        } catch {
            return false
        }
    }
}
