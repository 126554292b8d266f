/// How sure the observer is of the identification: 1 to 10; the API's description says in words what some mean.
package struct Confidence: BoundedInteger {
    /// The allowed numbers.
    package static let bounds = 1...10
    /// The point of the scale.
    package let value: Int

    package init(unchecked value: Int) {
        self.value = value
    }
}
