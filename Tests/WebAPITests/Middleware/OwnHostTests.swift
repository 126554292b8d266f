import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import WebAPI

/// The operations listener can be read by no page that points a name of its own to it.
struct OwnHostTests {
    @Test func `the operations listener answers only for its own address`() async throws {
        try await RunningAPI.serveOperations(on: "127.0.0.1") { api in
            for path in ["/metrics", "/readyz", "/healthz"] {
                for host in ["127.0.0.1", "127.0.0.1:\(api.port)", "localhost:\(api.port)", "LOCALHOST"] {
                    let answer = try await api.status(of: path, host: host)
                    #expect(answer == "200", "\(path) \(host)")
                }
                for host in [
                    "evil.example", "evil.example:\(api.port)", "127.0.0.1.evil.example", "localhost.evil.example",
                    "192.0.2.1", "[::1]", "0.0.0.0", "2130706433",
                ] {
                    let answer = try await api.status(of: path, host: host)
                    #expect(answer == "400", "\(path) \(host)")
                }
            }
        }
    }

    @Test func `on all addresses it answers for every address, and for no other's name`() async throws {
        try await RunningAPI.serveOperations(on: "0.0.0.0") { api in
            for (host, status) in [
                ("127.0.0.1", "200"), ("192.0.2.1:9001", "200"), ("[2001:db8::1]:9001", "200"), ("localhost", "200"),
                ("evil.example", "400"), ("1.2.3.4.evil.example", "400"),
            ] {
                let answer = try await api.status(of: "/metrics", host: host)
                #expect(answer == status, "\(host)")
            }
        }
    }
}

extension RunningAPI {
    fileprivate func status(of path: String, host: String) async throws -> String {
        let text = try await exchange("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
        return String(text.dropFirst("HTTP/1.1 ".count).prefix(3))
    }
}
