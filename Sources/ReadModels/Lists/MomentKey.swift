package import Domain
package import FoundationEssentials
import Postgres

/// The place of an item in a list that is sorted by a moment, the latest first, then by id.
package struct MomentKey: Hashable, Sendable {
    package let moment: Instant
    package let id: UUID

    package init(_ moment: Instant, _ id: UUID) {
        (self.moment, self.id) = (moment, id)
    }

    /// The condition for rows that come after it.
    /// - Parameters:
    ///   - moment: the column of the moment. The first comparison bounds the scan of its index; no row comparison
    ///     expresses (a desc, b).
    ///   - id: the column of the id.
    func precedes(_ moment: SQL, _ id: SQL) -> SQL {
        let text = self.moment.text()
        return """
            (\(fragment: moment) <= \(text)::text::timestamptz
             and (\(fragment: moment) < \(text)::text::timestamptz or \(fragment: id) > \(self.id)))
            """
    }
}
