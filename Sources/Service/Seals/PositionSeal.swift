import Bytes
package import Domain

/// Seals positions of the log for `Log-Position` and `Restriction-Position`: `<epoch>-<sealed>`.
///
/// Two positions of one observer with a gap between them would reveal where a hidden record was made, so clients can
/// neither read nor compare nor guess them. All tokens of an epoch have the same length.
package struct PositionSeal: Sendable {
    /// Why a token was rejected.
    package enum Fault: Error {
        /// It was made in another epoch.
        case otherEpoch
        /// It was not made by this service, or it is too old.
        case unreadable
        /// The log has not reached the position.
        case aboveHead
    }

    /// The most by which the clocks of two processes may differ; the clock rule of the log allows no more.
    private static let tolerance = 300

    private let seal: DailySeal

    /// - Parameter key: that of the log's head row.
    package init(key: [UInt8]) {
        seal = DailySeal(key: key, purpose: "log position")
    }

    /// A token that can be opened until the next UTC day ends.
    /// - Throws: `CryptoKitError`, only when the library fails.
    package func token(_ position: Int64, epoch: Int64, at now: Instant) throws -> String {
        let sealed = try seal.seal(position.bigEndianBytes, context: epoch.bigEndianBytes, at: now)
        return "\(epoch)-\(Base64.url.encode(sealed))"
    }

    /// The position that a token holds.
    /// - Parameter epoch: the log's epoch; a token of another one is not opened.
    package func position(_ token: some StringProtocol, epoch: Int64, at now: Instant) throws(Fault) -> Int64 {
        let parts = token.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let given = Self.number(parts[0]) else { throw .unreadable }
        guard given == epoch else { throw .otherEpoch }
        guard let sealed = Base64.url.decode(parts[1]), let opened = seal.open(sealed, context: epoch.bigEndianBytes),
            let position = Int64(bigEndianBytes: opened.value), Self.isFresh(opened.day, at: now)
        else { throw .unreadable }
        return position
    }

    /// Accepts tokens of today and yesterday, and of tomorrow from a process whose clock is ahead.
    private static func isFresh(_ day: CivilDate, at now: Instant) -> Bool {
        (now.date().adding(days: -1)...now.adding(seconds: tolerance).date()).contains(day)
    }

    private static func number(_ text: some StringProtocol) -> Int64? {
        guard let number = Int64(text), number >= 0, String(number) == text else { return nil }
        return number
    }
}
