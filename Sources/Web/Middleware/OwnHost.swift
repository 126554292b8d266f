import Glibc
import HTTPTypes
import Hummingbird
import NIOCore

/// Accepts only requests whose host is an address of the listener itself. Otherwise a web page could point its own name
/// to that address (DNS rebinding) and read the responses in an operator's browser.
struct OwnHost: RouterMiddleware {
    /// The hosts that are always accepted: in lower case, with brackets around IPv6.
    private let names: Set<String>
    /// Whether it listens on all addresses of the machine; others may lead to them, such as that of a container's host.
    private let isOnAll: Bool

    /// - Parameter host: the host that it listens on, an address or a name.
    init(_ host: String) {
        isOnAll = ["0.0.0.0", "::"].contains(host)
        let local = Self.loopback.contains(host) ? ["localhost"] : []
        names = Set(([Self.bracketed(host), Self.machine] + local).map { $0.lowercased() })
    }

    /// - Throws: `ProblemDetails` (400) for another host; what the route throws.
    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        // Requests of HTTP/1.0 may lack a host; those of browsers never do.
        if let authority = request.head.authority, !isOwn(authority, context.channel.localAddress) {
            throw ProblemDetails(.badRequest, detail: "Host must be an address of this listener.")
        }
        return try await next(request, context)
    }

    private func isOwn(_ authority: String, _ local: SocketAddress?) -> Bool {
        let host = Self.host(of: authority)
        if names.contains(host) { return true }
        let address = Self.address(host)
        if host == "localhost" || address != nil, isOnAll { return true }
        return address != nil && address == local?.ipAddress
    }

    private static let loopback: Set = ["127.0.0.1", "::1", "localhost"]

    /// The host without the port, in lower case.
    private static func host(of authority: String) -> String {
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return host.lowercased()
    }

    /// The IP address in canonical form; nil if the host is a name.
    private static func address(_ host: String) -> String? {
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return try? SocketAddress(ipAddress: bare, port: 0).ipAddress
    }

    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    /// The machine's host name, which a scraper may use.
    private static let machine: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()
}
