import Bytes
import HTTPTypes
package import Hummingbird
import NIOCore

/// The address that a client is known by: a whole IPv4 address, or the /64 network that an IPv6 client has to itself.
package struct ClientAddress: Hashable, Sendable {
    /// `192.0.2.7`, or the first four groups of an IPv6 address.
    let text: String

    /// The address of a connection.
    init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else { return nil }
        self.text = text.contains(":") ? Self.network(text) : text
    }

    /// Reads an address as text, as proxies give it.
    init?(text: some StringProtocol) {
        guard let address = try? SocketAddress(ipAddress: String(text), port: 0) else { return nil }
        self.init(address)
    }

    /// IPv4 in IPv6 is the IPv4 client that it is; of other addresses the first 64 bits count.
    /// - Parameter text: an address as inet_ntop writes it.
    private static func network(_ text: String) -> String {
        if text.contains("."), let colon = text.lastIndex(of: ":") { return String(text[text.index(after: colon)...]) }
        var groups = text.prefix { $0 != "%" }.split(separator: ":", omittingEmptySubsequences: false)
        if let gap = groups.firstIndex(of: "") {
            // "::" stands for as many zero groups as are missing; at either end it makes two empty groups.
            let head = groups[..<gap]
            let tail = groups[gap...].filter { !$0.isEmpty }
            groups = head + Array(repeating: "0", count: max(0, 8 - head.count - tail.count)) + tail
        }
        return groups.prefix(4).joined(separator: ":")
    }
}

/// Finds the client behind the proxies that the operator runs.
package struct ClientAddressing: Sendable {
    /// The number of proxies of the operator's own that add to `X-Forwarded-For` before a request arrives; 0 where
    /// clients connect directly. Anything beyond that number a client could have written itself.
    let trustedProxies: Int

    package init(trustedProxies: Int) {
        self.trustedProxies = trustedProxies
    }

    /// The client's address; nil where a connection has none, as in tests without a socket.
    package func address(of request: Request, _ context: APIContext) -> ClientAddress? {
        guard trustedProxies > 0 else { return ClientAddress(context.channel.remoteAddress) }
        let hops = request.headers[values: .forwardedFor].flatMap { $0.split(separator: ",") }
        guard hops.count >= trustedProxies else { return ClientAddress(context.channel.remoteAddress) }
        return ClientAddress(text: hops[hops.count - trustedProxies].trimmingSpaces())
            ?? ClientAddress(context.channel.remoteAddress)
    }
}
