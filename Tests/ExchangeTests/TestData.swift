import Foundation
import TestRandom

/// Real files for tests, where the machine has them.
enum TestData {
    /// `$SKEIN_TEST_DATA`, or `../shared/data` beside the package.
    static let folder: String = {
        if let path = ProcessInfo.processInfo.environment["SKEIN_TEST_DATA"] { return path }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return root.appendingPathComponent("../shared/data").standardizedFileURL.path
    }()

    static let isPresent = FileManager.default.fileExists(atPath: folder)
    static let absence = "no test data at \(folder); set SKEIN_TEST_DATA"

    static func path(_ name: String) -> String { "\(folder)/\(name)" }

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
}

/// A folder that goes away with the value that owns it.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("exchange-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, with the folders above it, and returns its path.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let url = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }
}

extension [UInt8] {
    /// A copy with one to eight random changes, as a bad disk or an evil sender would make them.
    func mutated(using generator: inout RandomSource) -> [UInt8] {
        var copy = self
        for _ in 0..<Int.random(in: 1...8, using: &generator) where !copy.isEmpty {
            let place = Int.random(in: 0..<copy.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: copy[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: copy.remove(at: place)
            case 2: copy.insert(Array("\"\n\r\t,<>&;\0\u{FF}".utf8).randomElement(using: &generator) ?? 0, at: place)
            case 3: copy.removeSubrange(place..<Swift.min(copy.count, place + 40))
            case 4: copy.insert(contentsOf: copy[place..<Swift.min(copy.count, place + 40)], at: place)
            default: copy.removeSubrange(place...)
            }
        }
        return copy
    }
}
