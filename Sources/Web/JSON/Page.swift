package import JSON

/// A page of a list: its items and where the next one begins.
package struct Page<Item: JSONRepresentable & Sendable>: Sendable, JSONRepresentable {
    package var items: [Item]
    /// The value of `after` for the next page; nil on the last one.
    package var next: String?

    package init(items: [Item], next: String?) {
        (self.items, self.next) = (items, next)
    }

    /// Writes the items and the next page's cursor, null on the last.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("items", items)
            writer.field("next", next)
        }
    }
}

/// A list that is not paged.
package struct WholeList<Item: JSONRepresentable & Sendable>: Sendable, JSONRepresentable {
    package var items: [Item]

    package init(items: [Item]) {
        self.items = items
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { $0.field("items", items) }
    }
}
