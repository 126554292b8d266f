package import Domain
package import FoundationEssentials
package import Service

/// The end of a page of an owner's list, which is sorted by a moment, then by id.
package struct OwnListCursor {
    package let moment: Instant
    package let id: UUID
    /// The position of the page; 0 for any. On a server that has not reached it, the next page could repeat or omit
    /// items.
    package let position: Int64

    package init(_ moment: Instant, _ id: UUID, shown position: Int64 = 0) {
        (self.moment, self.id, self.position) = (moment, id, position)
    }

    /// - Throws: `RuleViolation` for any text that is not a cursor of this list.
    package init(_ token: String, _ scope: String, _ log: LogState) throws(RuleViolation) {
        let cursor = try PageCursor(token: token, scope: scope, sealedBy: log.cursors)
        guard cursor.parts.count == 4, case .integer(let time) = cursor.parts[0], case .uuid(let id) = cursor.parts[1],
            case .integer(let epoch) = cursor.parts[2], case .integer(let position) = cursor.parts[3],
            Instant.written.contains(Instant(microsecondsSince1970: time))
        else { throw RuleViolation(.format, "must be the cursor that an earlier page of the same query gave") }
        // In another epoch, the position belongs to another event, if any.
        self.init(Instant(microsecondsSince1970: time), id, shown: epoch == log.epoch ? position : 0)
    }

    /// - Throws: what sealing throws.
    package func token(_ scope: String, _ log: LogState) throws -> String {
        try PageCursor([.integer(moment.microsecondsSince1970), .uuid(id), .integer(log.epoch), .integer(position)])
            .token(scope: scope, sealedBy: log.cursors, at: log.now())
    }
}
