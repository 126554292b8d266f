import AsyncHTTPClient
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// nginx as `share/nginx.conf` configures it, in front of a service, with a clock that is set by libfaketime.
///
/// It listens on a socket in its folder, and its workers are not root's.
struct CachingNginx: Sendable {
    /// How far its clock is ahead, in a file that libfaketime reads each time.
    private static let clock = "FAKETIME_TIMESTAMP_FILE"

    private let folder: String

    /// Runs something while nginx passes requests on to a service.
    static func run(
        before service: ServedSkein, _ body: @Sendable (CachingNginx) async throws -> Void
    ) async throws {
        try await ServedSkein.inFolder { folder in
            let nginx = CachingNginx(folder: folder)
            let process = try nginx.start(before: service)
            let result: Result<Void, any Error>
            do {
                try await nginx.becomeReady(process)
                result = .success(try await body(nginx))
            } catch {
                result = .failure(error)
            }
            process.terminate()
            await process.ended()
            try result.get()
        }
    }

    /// Sets the clock.
    /// - Parameter seconds: how far it is ahead of the machine's.
    func setClock(ahead seconds: Int) throws {
        try Data("+\(seconds)\n".utf8).write(to: URL(filePath: folder + "/clock"), options: .atomic)
    }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send(.GET, path, headers: headers)
    }

    func send(
        _ method: HTTPMethod, _ path: String, token: String? = nil, headers: [String: String] = [:],
        body: [UInt8]? = nil
    ) async throws -> Answer {
        let headers = headers.merging(Self.host) { $1 }
        return try await Answer(
            to: HTTPClientRequest(method, url(path), token: token, headers: headers, body: body))
    }

    /// Needs ``host``.
    func url(_ path: String) -> String {
        "http+unix://\(folder.replacing("/", with: "%2F"))%2Fnginx.sock\(path)"
    }

    /// The header without which a URL with a socket is no host.
    static let host = ["Host": "skein.example.org"]

    private func start(before service: ServedSkein) throws -> Process {
        try setClock(ahead: 0)
        try Data(try configuration(before: service).utf8).write(to: URL(filePath: folder + "/nginx.conf"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/sbin/nginx")
        process.arguments = ["-c", folder + "/nginx.conf", "-p", folder, "-e", folder + "/error.log"]
        process.environment = [
            "LD_PRELOAD": try Self.library(), Self.clock: folder + "/clock", "FAKETIME_NO_CACHE": "1",
        ]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        return process
    }

    /// libfaketime is in the folder of the machine's architecture.
    private static func library() throws -> String {
        let folders = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
        let libraries = folders.map { "/usr/lib/\($0)/faketime/libfaketime.so.1" }
        let library = libraries.first { FileManager.default.fileExists(atPath: $0) }
        return try #require(library, "scripts/install installs libfaketime")
    }

    /// The shipped file with this test's addresses and folder. nginx hands its workers only the variables named here.
    private func configuration(before service: ServedSkein) throws -> String {
        var shipped = try String(contentsOfFile: PackageRoot.path + "/share/nginx.conf", encoding: .utf8)
        for (text, own) in [
            ("listen 80;", "listen unix:\(folder)/nginx.sock;"),
            ("127.0.0.1:8080", "127.0.0.1:\(service.address.port)"),
            ("/var/cache/nginx/skein", "\(folder)/cache"),
        ] {
            try #require(shipped.ranges(of: text).count == 1, "share/nginx.conf has not one \(text)")
            shipped = shipped.replacing(text, with: own)
        }
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
        return """
            daemon off;
            user www-data;
            pid \(folder)/nginx.pid;
            env \(Self.clock);
            env FAKETIME_NO_CACHE;
            events {}
            http {
                access_log off;
                \(folders.joined(separator: "\n    "))
                \(shipped)
            }
            """
    }

    private func becomeReady(_ process: Process) async throws {
        try await until("nginx did not start: \(log)", every: .milliseconds(50)) {
            try #require(process.isRunning, "nginx ended: \(log)")
            return (try? await get("/healthz"))?.status == 200
        }
    }

    private var log: String { (try? String(contentsOfFile: folder + "/error.log", encoding: .utf8)) ?? "" }
}
