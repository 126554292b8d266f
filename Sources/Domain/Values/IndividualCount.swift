/// How many individuals were seen: 1 to 1,000,000. "Present but not counted" is its absence, never 0.
/// - Source: Darwin Core `individualCount`.
package struct IndividualCount: BoundedInteger {
    /// The allowed numbers.
    package static let bounds = 1...1_000_000
    /// The number of individuals.
    package let value: Int

    package init(unchecked value: Int) {
        self.value = value
    }
}
