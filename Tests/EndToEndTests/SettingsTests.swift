import Foundation
import NIOCore
import NIOPosix
import TestSupport
import Testing

struct SettingsTests {
    @Test(arguments: [
        "SKEIN_PORT": "65536-secret", "SKEIN_OPERATIONS_PORT": "secret", "SKEIN_RATE_LIMITS": "secret",
        "SKEIN_TRUSTED_PROXIES": "secret", "SKEIN_DATABASE_TIMEOUT": "secret", "SKEIN_MAP_TIMEOUT": "0",
        "SKEIN_MAIL_COMMAND": "/secret -t", "SKEIN_MAIL_FROM": "secret", "SKEIN_APP_URL": "app.example.org/secret",
        "SKEIN_MAILS_PER_HOUR": "secret", "SKEIN_RECOVERY_ATTEMPTS": "-1", "SKEIN_UNVERIFIED_DAILY_SIGHTINGS": "secret",
        "SKEIN_MAPS": "secret", "SKEIN_PUBLIC_URL": "secret.example.org", "SKEIN_ORGANISATION": " secret",
        "SKEIN_TARGET_KINDS": "bird,secret", "SKEIN_WEBP_CACHE_BYTES": "-1",
        "SKEIN_ALLOWED_ORIGINS": "https://secret.example.org/",
        "DATABASE_READ_URL": "host=secret,secret,secret port=1,2",
        "SKEIN_LOG_LEVEL": "secret", "SKEIN_SHARE_DIR": "/secret",
        "DATABASE_URL": "postgresql://birder:secret@127.0.0.1/skein?secret=1",
    ])
    func `a wrong setting is named with its rule, and its value is not shown`(
        setting: String, value: String
    ) async throws {
        // A port that is given hides the setting; without one, a fixed port may be in use.
        let ports = [("--port", "SKEIN_PORT"), ("--operations-port", "SKEIN_OPERATIONS_PORT")]
            .flatMap { flag, name in name == setting ? [] : [flag, "0"] }
        let text = try await failure(of: ports + ["--data-dir", "/dev/null/nowhere"], [setting: value])
        #expect(text.contains("\(setting) must be "), "\(text)")
        #expect(!text.contains("secret"), "\(text)")
    }

    @Test(arguments: ["--port", "--operations-port"])
    func `a port in use is named before anything starts`(_ flag: String) async throws {
        let taken = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(taken.localAddress?.port)
        let folder = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID())")
        let arguments = ["--port", "0", flag, "\(port)", "--data-dir", folder.path]
        let text = try await failure(of: arguments)
        #expect(text.contains("cannot listen on port \(port) of 127.0.0.1: it is in use"), "\(text)")
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        try await taken.close()
    }

    @Test func `a data directory that is a file is an error`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID())")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let text = try await failure(of: ["--port", "0", "--data-dir", file.path])
        #expect(text.contains("\(file.path) cannot be used: it is not a folder"), "\(text)")
    }

    /// What `skein serve` prints when it does not start.
    private func failure(of arguments: [String], _ environment: [String: String] = [:]) async throws -> String {
        let process = ServedSkein.skein(["serve"] + arguments)
        process.environment?.merge(environment) { $1 }
        process.standardOutput = FileHandle.nullDevice
        let text = try await process.output(isOfErrors: true)
        #expect(process.terminationStatus != 0)
        return text
    }
}
