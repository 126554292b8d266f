package import FoundationEssentials

extension Date {
    /// The moment so much later, or earlier when negative.
    package func adding(_ duration: Duration) -> Date {
        addingTimeInterval(duration.inSeconds)
    }
}

extension Duration {
    /// Seconds, with fractions.
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
