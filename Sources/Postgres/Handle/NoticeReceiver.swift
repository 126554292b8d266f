import CLibPQ
import Logging

/// Sends the server's notices to the log; libpq would print them on standard error.
///
/// It must live as long as the connection: libpq keeps an unretained pointer to it.
final class NoticeReceiver: Sendable {
    private let logger: Logger

    init(logger: Logger) {
        self.logger = logger
    }

    /// The function that libpq calls with a notice, on the thread that reads from the connection.
    static let callback: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = { context, result in
        guard let context, let result else { return }
        Unmanaged<NoticeReceiver>.fromOpaque(context).takeUnretainedValue().receive(result)
    }

    private func receive(_ result: OpaquePointer) {
        let state = SQLState(rawValue: ResultHandle.field(result, DIAG_SQLSTATE) ?? "00000")
        let report = ResultHandle.report(result, state)
        logger.debug(
            "notice from the database",
            metadata: [
                "severity": "\(report.severity)", "sqlState": "\(report.sqlState)",
                "message": "\(report.messageWithoutValues)",
            ])
    }
}
