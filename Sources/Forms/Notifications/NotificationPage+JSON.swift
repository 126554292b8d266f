package import JSON
import ReadModels
package import Service

extension NotificationService.Page: JSONRepresentable {
    /// The value of `after` for the next page; nil on the last one.
    package var next: String? { slice.next.map { String($0) } }

    /// Writes the notifications, the number of unread ones, and the next page's `after`, null on the last.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("items", slice.items)
            writer.field("unread", unread)
            writer.field("next", next)
        }
    }
}

/// The number of notifications that are not read.
package struct Unread: JSONRepresentable {
    let count: Int

    package init(count: Int) {
        self.count = count
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { $0.field("unread", count) }
    }
}
