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
        if let name = environment[.logLevel] {
            guard let level = Logger.Level(rawValue: name) else {
                throw SettingError(.logLevel, "must be a level, such as info or debug")
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
        var line = Self.line(event, label: label, at: Instant(Date()), fields: fields(of: event))
        for (index, byte) in line.enumerated() where byte == UInt8(ascii: "\n") { line[index] = UInt8(ascii: " ") }
        line.append(UInt8(ascii: "\n"))
        line.withUnsafeBytes { Self.write($0) }
    }

    /// The metadata, sorted by name. An error's override the event's own, those the provider's, and those the logger's.
    private func fields(of event: LogEvent) -> [(key: String, value: Logger.MetadataValue)] {
        var fields: [(key: String, value: Logger.MetadataValue)] = []
        if let error = event.error {
            fields = [
                ("error.message", "\(error)"), ("error.type", "\(String(reflecting: type(of: error)))"),
            ]
        }
        for others in [event.metadata ?? [:], metadataProvider?.get() ?? [:], metadata] {
            for other in others where !fields.contains(where: { $0.key == other.key }) { fields.append(other) }
        }
        return fields.sorted { $0.key < $1.key }
    }

    /// `2026-05-01T14:30:00.123456Z info skein: name=value … [source] message`
    static func line(
        _ event: LogEvent, label: String, at time: Instant, fields: [(key: String, value: Logger.MetadataValue)]
    ) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(512)
        for part in [time.description, " ", event.level.rawValue, " ", label, ":"] { line += part.utf8 }
        for field in fields {
            for part in [" ", field.key, "=", text(of: field.value)] { line += part.utf8 }
        }
        for part in [" [", event.source, "] ", event.message.description] { line += part.utf8 }
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
    private static func write(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }
}
