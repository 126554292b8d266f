package import FoundationEssentials
import HTTPTypes
package import JSON
package import Web

/// The result of one item of a batch, the same as for a request of its own.
package struct BatchItemResult: Sendable, JSONRepresentable {
    /// The outcome.
    package enum Outcome: Sendable {
        /// The finding in JSON, recorded now or, with the same key, earlier.
        case recorded([UInt8], version: Int)
        /// The sighting was not recorded.
        case rejected(ProblemDetails)
    }

    /// The key of the item as sent; null if it was not a key.
    package var key: UUID?
    /// The outcome.
    package var outcome: Outcome
    /// The id of the request, which a problem names.
    package var instance: String

    /// Writes the item's key and, by its outcome, the finding or the problem.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("key", key)
            switch outcome {
            case .recorded(let finding, let version):
                writer.field("status", 201)
                writer.field("etag", EntityTag(version: version, body: finding).headerValue)
                writer.field("sighting", json: finding)
                writer.field("problem", nil as Bool?)
            case .rejected(let problem):
                writer.field("status", problem.type.status.code)
                writer.field("etag", nil as Bool?)
                writer.field("sighting", nil as Bool?)
                writer.field("problem", json: problem.body(instance: instance))
            }
        }
    }
}
