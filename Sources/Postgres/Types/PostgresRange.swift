/// A range as PostgreSQL keeps it; discrete ranges come back as `[lower, upper)`.
///
/// Source: `range_send` in PostgreSQL's `src/backend/utils/adt/rangetypes.c`.
package enum PostgresRange<Bound: PostgresRangeBound>: Sendable {
    /// No value at all.
    case empty
    /// From `lower` to `upper`.
    case bounds(lower: Limit, upper: Limit)

    /// One end of a range.
    package enum Limit: Sendable {
        /// The end is open: there is no bound.
        case unbounded
        /// The value itself belongs to the range.
        case inclusive(Bound)
        /// The value itself does not.
        case exclusive(Bound)
    }

    /// `[lower, upper)`, where nil is unbounded: the form in which a row's life is kept.
    package init(from lower: Bound?, upTo upper: Bound?) {
        self = .bounds(
            lower: lower.map { .inclusive($0) } ?? .unbounded, upper: upper.map { .exclusive($0) } ?? .unbounded)
    }
}

/// A value that ranges can be made of.
package protocol PostgresRangeBound: PostgresEncodable, PostgresDecodable {
    /// Type of a range of such values.
    static var postgresRangeType: PostgresType { get }
    /// Type of an array of such ranges.
    static var postgresRangeArrayType: PostgresType { get }
}

extension PostgresRange: Equatable where Bound: Equatable {}
extension PostgresRange: Hashable where Bound: Hashable {}
extension PostgresRange.Limit: Equatable where Bound: Equatable {}
extension PostgresRange.Limit: Hashable where Bound: Hashable {}
