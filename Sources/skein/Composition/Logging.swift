import Domain
import FoundationEssentials
import Glibc
import Logging

extension Logger {
    /// The program's logger, on standard error, at the level of `SKEIN_LOG_LEVEL`.
    /// - Throws: ``SettingError`` for an unknown level.
    static func program(_ environment: Environment = .process, normally level: Logger.Level = .info) throws -> Logger {
        var logger = Logger(label: "skein") { LineLogHandler(label: $0) }
        logger.logLevel = level
        if let name = environment["SKEIN_LOG_LEVEL"] {
            guard let level = Logger.Level(rawValue: name) else {
                throw SettingError(setting: "SKEIN_LOG_LEVEL", rule: "must be a level, such as info or debug")
            }
            logger.logLevel = level
        }
        return logger
    }
}

/// Writes each event as a line on standard error, in the form of swift-log's own handler but with times in UTC.
///
/// That handler looks at `/etc/localtime` for every line, and sorts and joins the metadata whenever one is set, for
/// every request and at any level.
struct LineLogHandler: LogHandler {
    let label: String
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(label: String) {
        self.label = label
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = Self.line(event, label: label, at: Instant(Date()), metadata: metadata(of: event))
        if line.utf8.contains(UInt8(ascii: "\n")) { line = line.replacing("\n", with: " ") }
        line += "\n"
        line.withUTF8 { Self.write($0) }
    }

    private func metadata(of event: LogEvent) -> Logger.Metadata {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let explicit = event.metadata { all.merge(explicit) { $1 } }
        if let error = event.error {
            all["error.message"] = "\(error)"
            all["error.type"] = "\(String(reflecting: type(of: error)))"
        }
        return all
    }

    /// `2026-05-01T14:30:00.123456Z info skein: name=value … [source] message`
    static func line(_ event: LogEvent, label: String, at time: Instant, metadata: Logger.Metadata) -> String {
        var line = ""
        line.reserveCapacity(256)
        for part in [time.description, " ", event.level.rawValue, " ", label, ":"] { line += part }
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
            for part in [" ", name, "=", text(of: value)] { line += part }
        }
        for part in [" [", event.source, "] ", event.message.description] { line += part }
        return line
    }

    /// What interpolation gives, without its price for the two kinds that every request logs.
    private static func text(of value: Logger.MetadataValue) -> String {
        switch value {
        case .string(let text): text
        case .stringConvertible(let value): value.description
        default: "\(value)"
        }
    }

    /// One write for a line, so that those of several threads do not mix. What cannot be written is lost.
    private static func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
            let count = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }
}
