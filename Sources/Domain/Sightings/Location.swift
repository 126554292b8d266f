/// Where something was seen, with what was found out about the place.
package struct Location: Hashable, Sendable {
    /// The place.
    package var coordinate: Coordinate
    /// What was found out about it.
    package var place: Place

    /// Puts a location together.
    package init(_ coordinate: Coordinate, _ place: Place) {
        self.coordinate = coordinate
        self.place = place
    }
}
