import Foundation
import Testing

struct SettingsTests {
    @Test(arguments: [
        "SKEIN_PORT": "65536-secret", "SKEIN_RATE_LIMITS": "secret", "SKEIN_TRUSTED_PROXIES": "secret",
        "SKEIN_ALLOWED_ORIGINS": "https://secret.example.org/",
        "SKEIN_LOG_LEVEL": "secret", "SKEIN_SHARE_DIR": "/secret",
        "DATABASE_URL": "postgresql://birder:secret@127.0.0.1/skein?secret=1",
    ])
    func `a wrong setting is named with its rule, and its value is not shown`(setting: String, value: String) throws {
        let process = ServedSkein.skein(["serve", "--data-dir", "/dev/null/nowhere"])
        process.environment?[setting] = value
        let errors = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus != 0)
        #expect(text.contains("\(setting) must be "), "\(text)")
        #expect(!text.contains("secret"), "\(text)")
    }
}
