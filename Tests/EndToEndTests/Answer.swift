import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// An answer of the service.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: Data

    /// Sends a request, and waits for the whole answer. Only a hang takes three minutes.
    init(to request: HTTPClientRequest) async throws {
        let response = try await HTTPClient.shared.execute(request, timeout: .minutes(3))
        let body = try await response.body.collect(upTo: 8 << 20)
        status = Int(response.status.code)
        headers = response.headers
        self.body = Data(body.readableBytesView)
    }

    /// A header's value.
    func header(_ name: String) -> String? { headers.first(name: name) }

    /// The value at a path such as `items.0.taxon.id`; nil for null and for what is not there.
    subscript(path: String) -> Any? {
        var value = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)
        for part in path.split(separator: ".") {
            if let list = value as? [Any] {
                value = Int(part).flatMap { list.indices.contains($0) ? list[$0] : nil }
            } else {
                value = (value as? [String: Any])?[String(part)]
            }
        }
        return value is NSNull ? nil : value
    }

    func text(_ path: String) -> String? { self[path] as? String }
    func int(_ path: String) -> Int? { (self[path] as? NSNumber)?.intValue }
    func number(_ path: String) -> Double? { (self[path] as? NSNumber)?.doubleValue }
    func count(_ path: String) -> Int? { (self[path] as? [Any])?.count }

    /// The kind of problem that the body reports, such as `withdrawn`.
    var problem: String? { text("type")?.split(separator: "/").last.map(String.init) }

    /// The pointers of the faults that the body lists.
    var faults: Set<String> {
        Set((self["errors"] as? [[String: Any]] ?? []).compactMap { $0["pointer"] as? String })
    }
}

extension HTTPClientRequest {
    init(
        _ method: HTTPMethod, _ url: String, token: String? = nil, headers: [String: String] = [:], json: String? = nil,
        body: [UInt8]? = nil
    ) {
        self.init(url: url)
        self.method = method
        for (name, value) in headers { self.headers.add(name: name, value: value) }
        if let token { self.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let json {
            self.headers.add(name: "Content-Type", value: "application/json")
            self.body = .bytes(ByteBuffer(string: json))
        }
        if let body { self.body = .bytes(ByteBuffer(bytes: body)) }
    }
}
