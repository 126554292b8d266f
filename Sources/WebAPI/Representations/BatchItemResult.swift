package import FoundationEssentials
internal import HTTPTypes
package import JSON
package import Service

/// What became of one item of a batch: what its own request would have been answered.
package struct BatchItemResult: Sendable, JSONRepresentable {
    /// How it went.
    package enum Outcome: Sendable {
        /// The sighting was recorded now or, with the same key, before.
        case recorded(Finding, tag: EntityTag)
        /// It was not.
        case refused(ProblemDetails)
    }

    /// The key of the item, as it was sent; null where it was none.
    package var key: UUID?
    /// How it went.
    package var outcome: Outcome
    /// The id of the request, which a problem names.
    package var instance: String

    /// Fills in everything.
    package init(key: UUID?, outcome: Outcome, instance: String) {
        self.key = key
        self.outcome = outcome
        self.instance = instance
    }

    /// Writes the item's key and, by its outcome, the finding or the problem.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("key", key)
            switch outcome {
            case .recorded(let finding, let tag):
                writer.field("status", 201)
                writer.field("etag", tag.headerValue)
                writer.field("sighting", finding)
                writer.field("problem", nil as Bool?)
            case .refused(let problem):
                writer.field("status", problem.type.status.code)
                writer.field("etag", nil as Bool?)
                writer.field("sighting", nil as Bool?)
                writer.field("problem", json: problem.body(instance: instance))
            }
        }
    }
}
