import Domain
package import JSON
import ReadModels
package import Service

extension AccountNotification: JSONRepresentable {
    /// Writes a notification for its owner.
    package func write(to writer: inout JSONWriter) {
        var (review, note, news): (ReviewNotification?, String?, TargetNews?)
        switch subject {
        case .review(let action, let text): (review, note) = (action, text)
        case .target(let change): news = change
        }
        writer.object { writer in
            writer.field("number", number)
            writer.field("kind", kind)
            writer.field("sightingId", review?.sighting ?? news?.finding)
            writer.field("photoId", review.flatMap { $0.subject == .photo ? PhotoID($0.id) : nil })
            writer.field("reasons", review?.reasons ?? [])
            writer.field("note", note)
            writer.field("region", news?.region)
            writer.field("week", news?.week.description)
            writer.field("targetId", news?.target)
            writer.field("recordedAt", recordedAt)
        }
    }
}
