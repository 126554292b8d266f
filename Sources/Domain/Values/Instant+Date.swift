package import FoundationEssentials

extension Instant {
    /// Converts from Foundation. Between 1729 and 2273 every microsecond survives the round trip.
    package init(_ date: Date) {
        let sinceReference = (date.timeIntervalSinceReferenceDate * 1_000_000).rounded()
        // PostgreSQL's calendar, where such dates come from, ends in the year 294276: far from the ends of Int64.
        self.init(microsecondsSince1970: Int64(sinceReference) + 978_307_200_000_000)
    }

    /// The moment for Foundation.
    package var date: Date {
        Date(timeIntervalSince1970: Double(microsecondsSince1970) / 1_000_000)
    }
}
