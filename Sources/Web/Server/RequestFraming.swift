import Bytes
package import NIOHTTP1

/// The rules of HTTP/1.1 for a request's head that the decoder does not check.
package enum RequestFraming {
    /// The status with which a request is rejected, and its connection closed; nil for a good one.
    /// - Source: RFC 9112 sections 3.2, 6.1 and 6.3.
    package static func fault(of head: HTTPRequestHead) -> HTTPResponseStatus? {
        let hosts = head.headers["Host"]
        guard hosts.count <= 1, hosts.first.map(isHost) ?? (head.version == .http1_0) else { return .badRequest }
        let codings = head.headers[canonicalForm: "Transfer-Encoding"].map { $0.lowercased() }
        if codings.isEmpty { return nil }
        guard head.version != .http1_0, !head.headers.contains(name: "Content-Length"), codings.last == "chunked" else {
            return .badRequest
        }
        return codings.count == 1 ? nil : .notImplemented
    }

    /// Whether a text is a host with an optional port, such as `api.example.org:8080` or `[::1]`.
    static func isHost(_ text: String) -> Bool {
        var rest = Substring(text)
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]"), rest[..<end].dropFirst().utf8.allSatisfy(isAddressByte) else {
                return false
            }
            rest = rest[rest.index(after: end)...]
        } else {
            let name = rest.prefix { $0 != ":" }
            guard !name.isEmpty, name.utf8.allSatisfy(isNameByte) else { return false }
            rest = rest.dropFirst(name.count)
        }
        guard rest.first == ":" else { return rest.isEmpty }
        return rest.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Characters of a registered name; percent-encoding is checked by its characters only.
    /// - Source: RFC 3986 section 3.2.2.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: nameSigns.contains(byte)
        }
    }

    private static let nameSigns = Set("-._~%!$&'()*+,;=".utf8)
}
