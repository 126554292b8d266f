/// How sure the observer is of the identification: 1 to 10, with published anchors.
package struct Confidence: BoundedInteger {
    /// The numbers that are allowed.
    package static let bounds = 1...10
    /// The point of the scale.
    package let value: Int

    /// Wraps a number that is known to be within bounds.
    package init(unchecked value: Int) {
        self.value = value
    }

    /// A point of the scale that is described in words; the points between are felt.
    package struct Anchor: Hashable, Sendable {
        /// The point of the scale.
        package let confidence: Confidence
        /// What it means.
        package let meaning: String
    }

    /// The published anchors, from least to most sure.
    package static let anchors = [
        Anchor(confidence: Confidence(unchecked: 1), meaning: "a guess"),
        Anchor(confidence: Confidence(unchecked: 5), meaning: "likely"),
        Anchor(confidence: Confidence(unchecked: 8), meaning: "sure of the species"),
        Anchor(confidence: Confidence(unchecked: 10), meaning: "in the hand or photographed beyond doubt"),
    ]
}
