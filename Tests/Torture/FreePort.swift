import Glibc

/// An unused port of the loopback interface. A service keeps its port over all its restarts.
enum FreePort {
    /// Below the ephemeral ports: otherwise a client's own connection could take the port while a service is down.
    private static let range = 20_000...31_999

    /// - Throws: ``NoFreePort``.
    static func find() throws(NoFreePort) -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: range)
            if isFree(port) { return port }
        }
        throw NoFreePort()
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// A hundred ports were tried, and all are in use.
struct NoFreePort: Error {}
