import Bytes
package import HTTPTypes

/// A position in the log, in the epoch that it belongs to: `3-120482`.
///
/// The epoch changes when the log is restored from a backup or its database fails over, because positions given out
/// before may then be missing or belong to other events.
package struct LogPosition: Hashable, Sendable {
    /// The epoch of the log.
    package let epoch: Int64
    /// The position in it, 0 before the first event.
    package let position: Int64

    /// The form in headers and parameters.
    package var text: String { "\(epoch)-\(position)" }
}

/// A position as a client gives it: with its epoch, or bare, which means this epoch's.
package struct GivenLogPosition: Hashable, Sendable {
    /// The epoch; nil for a bare number.
    package let epoch: Int64?
    /// The position.
    package let position: Int64

    /// Reads `<epoch>-<position>` or `<position>`; nil for any other text.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let last = parts.last, let position = Self.number(last) else { return nil }
        self.position = position
        if parts.count == 2 {
            guard let epoch = Self.number(parts[0]) else { return nil }
            self.epoch = epoch
        } else {
            epoch = nil
        }
    }

    /// Reads `Log-Position`; nil if there is none.
    /// - Throws: `ProblemDetails` for a header that is no position.
    package init?(_ headers: HTTPFields) throws(ProblemDetails) {
        guard let value = headers[.logPosition] else { return nil }
        guard let given = GivenLogPosition(value.trimmingSpaces()) else {
            throw .header(.logPosition, "must be <epoch>-<position> or <position>")
        }
        self = given
    }

    /// The position, after checking that the log has it.
    /// - Parameter head: the log's highest position.
    /// - Throws: `ProblemDetails`: 409 for an earlier epoch, 400 for a later one or a position above the head.
    package func resolved(against head: LogPosition) throws(ProblemDetails) -> LogPosition {
        let epoch = epoch ?? head.epoch
        guard epoch >= head.epoch else { throw ProblemDetails(.epochChanged) }
        guard epoch == head.epoch, position <= head.position else { throw ProblemDetails(.logPositionUnknown) }
        return LogPosition(epoch: epoch, position: position)
    }

    private static func number(_ text: some StringProtocol) -> Int64? {
        guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
