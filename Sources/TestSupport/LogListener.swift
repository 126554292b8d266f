package import Logging

/// Passes what is logged to a closure, with the metadata of logger and event in one.
package struct LogListener: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    private let listen: @Sendable (LogEvent) -> Void

    package init(_ level: Logger.Level = .info, _ listen: @escaping @Sendable (LogEvent) -> Void) {
        (logLevel, self.listen) = (level, listen)
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var event = event
        event.metadata = metadata.merging(event.metadata ?? [:]) { $1 }
        listen(event)
    }
}
