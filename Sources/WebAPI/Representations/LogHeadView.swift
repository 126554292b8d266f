package import Domain

/// Where the log stands.
package struct LogHeadView: Hashable, Sendable, JSONRepresentable {
    /// The position of the last event, 0 before the first.
    package var position: Int64
    /// When it was recorded; nil before the first.
    package var recordedAt: Instant?

    /// Fills in everything.
    package init(position: Int64, recordedAt: Instant?) {
        self.position = position
        self.recordedAt = recordedAt
    }

    /// Writes the position and its time.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("position", position)
            writer.field("recordedAt", recordedAt)
        }
    }
}
