import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@Suite(.served, .serialized, .hangs)
struct EventsTests {
    @Test func `events reach streams in every process, and a process that stops ends its streams`() async throws {
        let first = try ServedSkein.required
        let birder = try await Birder.register(first)
        let moderator = try await Birder.register(first, role: "moderator")
        try await first.joined(by: [:]) { second in
            var here = try await OpenStream(first.url + "/v1/me/events", birder.token)
            var there = try await OpenStream(second.url + "/v1/me/events", birder.token)
            for name in ["approved", "rejected"] {
                let sighting = try #require(try await birder.submit().text("id"))
                let body =
                    name == "approved"
                    ? #"{"decision":"approve"}"# : #"{"decision":"reject","reasons":["wrong-date"]}"#
                let decided = try await moderator.send(
                    .POST, "/v1/moderation/sightings/\(sighting)/decisions", headers: ["If-Match": "*"], json: body)
                #expect(decided.status == 200)
                let data = #""sightingId":"\#(sighting)""#
                #expect(try await here.text(until: data).contains("event: \(name)\n"))
                #expect(try await there.text(until: data).contains("event: \(name)\n"))
            }
            // The first process stays, and so does its stream; the second ends in less than the thirty seconds that it
            // has, which it would take if it waited for its streams.
            let began = ContinuousClock.now
            let ended = await second.stop(SIGTERM)
            #expect(ended?.terminationStatus == 0 && began.duration(to: .now) < .seconds(25))
            _ = try await there.text(until: nil)
            let logOut = try await birder.send(.DELETE, "/v1/sessions/current")
            #expect(logOut.status == 204)
            _ = try await here.text(until: nil)
        }
    }
}

/// A stream of events.
struct OpenStream {
    private var body: HTTPClientResponse.Body.AsyncIterator

    /// - Parameter headers: besides the token.
    init(_ url: String, _ token: String, headers: [String: String] = [:]) async throws {
        let request = HTTPClientRequest(.GET, url, token: token, headers: headers)
        var response: HTTPClientResponse?
        try await until("the read models stay behind") {
            response = try await HTTPClient.shared.execute(request, timeout: .minutes(10))
            guard let answer = response, answer.status == .serviceUnavailable else { return true }
            let problem = String(buffer: try await answer.body.collect(upTo: 10_000))
            try #require(problem.contains("model-behind"), "\(problem)")
            return false
        }
        let opened = try #require(response)
        try #require(opened.status == .ok)
        body = opened.body.makeAsyncIterator()
    }

    /// What comes until a text has come.
    /// - Parameter end: nil for the end of the stream.
    mutating func text(until end: String?) async throws -> String {
        var text = ""
        while let more = try await body.next() {
            text += String(buffer: more)
            if let end, text.contains(end) { return text }
        }
        try #require(end == nil, "the stream ended: \(text)")
        return text
    }
}
