package import Domain

/// One event in the life of a sighting: when, by whom, and what changed.
package struct HistoryEntryView: Sendable, JSONRepresentable {
    /// One member of the representation that changed.
    package struct Change: Sendable, JSONRepresentable {
        /// The member's name.
        package var field: String
        /// What it was.
        package var before: JSONNode
        /// What it became.
        package var after: JSONNode

        /// Fills in everything.
        package init(field: String, before: JSONNode, after: JSONNode) {
            self.field = field
            self.before = before
            self.after = after
        }

        /// Writes the field with its value before and after.
        package func write(to writer: inout JSONWriter) {
            writer.object { writer in
                writer.field("field", field)
                writer.field("before", before)
                writer.field("after", after)
            }
        }
    }

    /// What happened: `submitted`, `imported`, `corrected`, `geoprivacy-changed`, `withdrawn`, `redacted`.
    package var kind: String
    /// The version of the sighting after it; nil where it may not be shown.
    package var version: Int?
    /// The event's position; nil where it may not be shown.
    package var position: Int64?
    /// When; nil where it may not be shown.
    package var recordedAt: Instant?
    /// In which role: `owner`, `importer`, `operator`, or a pseudonym such as `moderator 2`.
    package var by: String
    /// The reason's code, where there is one.
    package var reason: String?
    /// What changed.
    package var changes: [Change]

    /// Fills in everything.
    package init(
        kind: String, version: Int?, position: Int64?, recordedAt: Instant?, by: String, reason: String?,
        changes: [Change]
    ) {
        self.kind = kind
        self.version = version
        self.position = position
        self.recordedAt = recordedAt
        self.by = by
        self.reason = reason
        self.changes = changes
    }

    /// Writes the entry with its changes.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("kind", kind)
            writer.field("version", version)
            writer.field("position", position)
            writer.field("recordedAt", recordedAt)
            writer.field("by", by)
            writer.field("reason", reason)
            writer.field("changes", changes)
        }
    }
}
