import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// An HTTP client for the services.
struct WebClient: Sendable {
    private let http: HTTPClient
    private let ports: [Int]
    private let positions: PositionReader

    init(_ http: HTTPClient, ports: [Int], positions: PositionReader) {
        self.http = http
        self.ports = ports
        self.positions = positions
    }

    var services: Int { ports.count }

    /// - Returns: nil if there was no answer, for whatever reason.
    func send(_ request: WebRequest, to service: Int) async -> WebAnswer? {
        var wire = HTTPClientRequest(url: "http://127.0.0.1:\(ports[service])\(request.path)")
        wire.method = request.method
        for (name, value) in request.headers { wire.headers.add(name: name, value: value) }
        if let body = request.body { wire.body = .bytes(ByteBuffer(bytes: body)) }
        do {
            let response = try await http.execute(wire, timeout: request.timeout)
            let body = try await response.body.collect(upTo: 4 << 20)
            return WebAnswer(
                status: Int(response.status.code),
                version: WebAnswer.version(of: response.headers.first(name: "ETag")),
                position: positions.position(in: response.headers.first(name: "Log-Position")),
                body: Data(body.readableBytesView))
        } catch {
            return nil
        }
    }
}

/// A request that can be sent any number of times, to any service.
struct WebRequest: Sendable {
    var method: HTTPMethod
    var path: String
    var headers: [(String, String)] = []
    var body: Data?
    /// Longer than a healthy answer takes, shorter than most freezes.
    var timeout: TimeAmount = .milliseconds(2_500)

    init(_ method: HTTPMethod, _ path: String, token: String? = nil, key: UUID? = nil) {
        self.method = method
        self.path = path
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        if let key { headers.append(("Idempotency-Key", key.uuidString.lowercased())) }
    }

    /// The same with a JSON body.
    func with(_ content: some Encodable, type: String = "application/json") throws -> WebRequest {
        var copy = self
        copy.headers.append(("Content-Type", type))
        copy.body = try JSONEncoder().encode(content)
        return copy
    }
}

/// The parts of an answer that are checked.
struct WebAnswer: Sendable {
    var status: Int
    /// The stream's version, from the entity tag.
    var version: Int?
    var position: Int64?
    var body: Data

    /// The version in `"<version>.<hash>"`.
    static func version(of tag: String?) -> Int? {
        tag.flatMap { $0.dropFirst().split(separator: ".").first }.flatMap { Int($0) }
    }

    /// The kind of problem that the body reports, such as `withdrawn`.
    var problem: String? {
        struct Problem: Decodable { var type: String }
        let type = try? JSONDecoder().decode(Problem.self, from: body).type
        return type.flatMap { $0.split(separator: "/").last.map(String.init) }
    }
}
