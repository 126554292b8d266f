package import FoundationEssentials

/// Where a command's events stand. Given out only after the commit.
package struct AppendReceipt: Sendable, Hashable {
    /// The stream's version after the command's last event.
    package let version: Int
    /// The position of the command's last event.
    package let position: Int64
    /// When the events were recorded.
    package let recordedAt: Date
    /// The command had been appended before; these are its first outcome's figures.
    package let isRepeat: Bool

    /// Puts a receipt together.
    package init(version: Int, position: Int64, recordedAt: Date, isRepeat: Bool) {
        self.version = version
        self.position = position
        self.recordedAt = recordedAt
        self.isRepeat = isRepeat
    }
}
