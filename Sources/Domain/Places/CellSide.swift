/// The side of a margin cell in whole kilometres: 5 to 100.
package struct CellSide: BoundedInteger {
    /// The allowed numbers.
    package static let bounds = 5...100
    /// The side of the cells by which moderation and, unless asked otherwise, ranges find the margin.
    package static let ten = CellSide(unchecked: 10)
    /// Kilometres.
    package let value: Int

    package init(unchecked value: Int) {
        self.value = value
    }

    package var metres: Double { Double(value) * 1000 }
}
