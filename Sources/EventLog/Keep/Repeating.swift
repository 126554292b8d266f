package import Logging

/// Runs work at once and after every interval until the task is cancelled. A failure is logged, and the work is
/// repeated.
/// - Parameters:
///   - message: logged with the error.
///   - level: that of the message.
package func repeating(
    every interval: Duration, on clock: any Clock<Duration> = ContinuousClock(), else message: Logger.Message,
    at level: Logger.Level, to logger: Logger, _ work: () async throws -> Void
) async {
    while !Task.isCancelled {
        do {
            try await work()
        } catch {
            if Task.isCancelled { return }
            logger.log(level: level, message, metadata: ["error": "\(String(reflecting: error))"])
        }
        try? await clock.sleep(for: interval)
    }
}
