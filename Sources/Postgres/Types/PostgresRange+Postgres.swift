package import FoundationEssentials

/// `int8range`, the life of a row in positions.
extension Int64: PostgresRangeBound {
    /// A range of such bounds.
    package static var postgresRangeType: PostgresType { .int8range }
    /// An array of such ranges.
    package static var postgresRangeArrayType: PostgresType { .int8rangeArray }
}

/// `tstzrange`.
extension Date: PostgresRangeBound {
    /// A range of such bounds.
    package static var postgresRangeType: PostgresType { .tstzrange }
    /// An array of such ranges.
    package static var postgresRangeArrayType: PostgresType { .tstzrangeArray }
}

/// The first byte of a range's binary form.
private struct RangeFlags: OptionSet {
    let rawValue: UInt8
    static let empty = RangeFlags(rawValue: 0x01)
    static let lowerInclusive = RangeFlags(rawValue: 0x02)
    static let upperInclusive = RangeFlags(rawValue: 0x04)
    static let lowerInfinite = RangeFlags(rawValue: 0x08)
    static let upperInfinite = RangeFlags(rawValue: 0x10)
    static let known: RangeFlags = [.empty, .lowerInclusive, .upperInclusive, .lowerInfinite, .upperInfinite]
}

extension PostgresRange: PostgresEncodable, PostgresArrayEncodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { Bound.postgresRangeType }

    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { Bound.postgresRangeArrayType }

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) throws(PostgresEncodingFault) {
        guard case .bounds(let lower, let upper) = self else {
            writer.write(RangeFlags.empty.rawValue)
            return
        }
        var flags: RangeFlags = []
        switch lower {
        case .unbounded: flags.insert(.lowerInfinite)
        case .inclusive: flags.insert(.lowerInclusive)
        case .exclusive: break
        }
        switch upper {
        case .unbounded: flags.insert(.upperInfinite)
        case .inclusive: flags.insert(.upperInclusive)
        case .exclusive: break
        }
        writer.write(flags.rawValue)
        try Self.encode(lower, into: &writer)
        try Self.encode(upper, into: &writer)
    }

    private static func encode(
        _ limit: Limit, into writer: inout PostgresWriter
    ) throws(PostgresEncodingFault) {
        switch limit {
        case .unbounded: break
        case .inclusive(let bound), .exclusive(let bound):
            try writer.writeCounted { (writer) throws(PostgresEncodingFault) in try bound.encode(into: &writer) }
        }
    }
}

extension PostgresRange: PostgresDecodable, PostgresArrayDecodable {
    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool { type == Bound.postgresRangeType }

    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == Bound.postgresRangeArrayType }

    /// Reads the binary form.
    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> PostgresRange {
        let flags = RangeFlags(rawValue: try reader.read(UInt8.self))
        guard flags.isSubset(of: .known) else { throw .malformed("the range has unknown flags") }
        guard !flags.contains(.empty) else { return .empty }
        let lower = try decodeLimit(
            from: &reader, infinite: flags.contains(.lowerInfinite), inclusive: flags.contains(.lowerInclusive))
        let upper = try decodeLimit(
            from: &reader, infinite: flags.contains(.upperInfinite), inclusive: flags.contains(.upperInclusive))
        return .bounds(lower: lower, upper: upper)
    }

    private static func decodeLimit(
        from reader: inout PostgresReader, infinite: Bool, inclusive: Bool
    ) throws(PostgresDecodingFault) -> Limit {
        guard !infinite else { return .unbounded }
        let length = Int(try reader.read(Int32.self))
        var value = try reader.reader(of: length)
        let bound = try Bound.decode(from: &value, as: Bound.postgresType)
        try value.finish()
        return inclusive ? .inclusive(bound) : .exclusive(bound)
    }
}
