/// A part of a list.
package struct Slice<Item, Key> {
    package let items: [Item]
    /// The place after which the next part begins; nil for the last part.
    package let next: Key?
    /// The first item of the next part, if it was read: it shows that there is a next part.
    package let further: Item?

    package init(_ items: [Item], next: Key?, knownBy further: Item? = nil) {
        (self.items, self.next, self.further) = (items, next, further)
    }

    /// The same part with its items in another form, of which some may be left out.
    package func with<Other>(_ items: [Other]) -> Slice<Other, Key> {
        Slice<Other, Key>(items, next: next)
    }
}

extension Slice: Sendable where Item: Sendable, Key: Sendable {}

/// A request for a part of a list.
package protocol SliceRequest: Sendable {
    /// The place of an item in the list.
    associatedtype Key: Sendable

    /// The most items.
    var limit: Int { get }
    /// The place after which the part begins; nil for the first part.
    var after: Key? { get }
}

extension SliceRequest {
    /// How many rows a statement reads: one more than is asked for shows that there is a next part.
    package var rows: Int { limit + 1 }

    /// Cuts the rows that a statement has read to the part that is asked for.
    /// - Parameter key: the place of a row; nil for a row that has too little left to have one, which ends the list.
    package func slice<Row>(_ rows: [Row], _ key: (Row) -> Key?) -> Slice<Row, Key> {
        let items = Array(rows.prefix(limit))
        let further = rows.count > limit ? rows[limit] : nil
        return Slice(items, next: further == nil ? nil : items.last.flatMap(key), knownBy: further)
    }
}
