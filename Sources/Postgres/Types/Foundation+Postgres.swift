package import FoundationEssentials

/// Microseconds since 2000-01-01 00:00 UTC, as `timestamptz`.
///
/// A `Date` is a double of seconds, so a microsecond survives the way there and back between 1729 and 2273.
/// `infinity` and `-infinity` are rejected: no `Date` represents them.
extension Date: PostgresScalar {
    package static var postgresType: PostgresType { .timestamptz }
    package static var postgresArrayType: PostgresType { .timestamptzArray }

    package static func canDecode(_ type: PostgresType) -> Bool { type == .timestamptz }
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .timestamptzArray }

    /// From PostgreSQL's epoch (2000) to Foundation's (2001): 366 days, in microseconds.
    private static let epochOffset: Int64 = 31_622_400_000_000

    /// 4713-11-24 BC, and the end of the year 294276: PostgreSQL's `MIN_TIMESTAMP` and `END_TIMESTAMP`.
    private static let calendar: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

    package func encode(into writer: inout PostgresWriter) throws(PostgresEncodingFault) {
        let fault = PostgresEncodingFault("a time is outside PostgreSQL's calendar")
        let whole = timeIntervalSinceReferenceDate.rounded(.down)
        guard whole.magnitude < 1e13 else { throw fault }  // also NaN and infinity
        let fraction = ((timeIntervalSinceReferenceDate - whole) * 1e6).rounded()
        let (scaled, tooLarge) = Int64(whole).multipliedReportingOverflow(by: 1_000_000)
        let (microseconds, overflow) = scaled.addingReportingOverflow(Self.epochOffset + Int64(fraction))
        guard !tooLarge, !overflow, Self.calendar.contains(microseconds) else { throw fault }
        writer.write(microseconds)
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Date {
        let microseconds = try reader.read(Int64.self)
        guard calendar.contains(microseconds) else { throw .malformed("the time is infinite or outside the calendar") }
        let sinceReference = microseconds - epochOffset
        let fraction = sinceReference % 1_000_000
        let seconds = Double(sinceReference / 1_000_000) + Double(fraction) / 1e6
        return Date(timeIntervalSinceReferenceDate: seconds)
    }
}

/// Sixteen bytes in the order they are written.
extension UUID: PostgresScalar {
    package static var postgresType: PostgresType { .uuid }
    package static var postgresArrayType: PostgresType { .uuidArray }

    package static func canDecode(_ type: PostgresType) -> Bool { type == .uuid }
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .uuidArray }

    package func encode(into writer: inout PostgresWriter) {
        withUnsafeBytes(of: uuid) { writer.write($0) }
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> UUID {
        let high = try reader.read(UInt64.self).bigEndian
        let low = try reader.read(UInt64.self).bigEndian
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { bytes in
            bytes.storeBytes(of: high, as: UInt64.self)
            bytes.storeBytes(of: low, toByteOffset: 8, as: UInt64.self)
        }
        return UUID(uuid: bytes)
    }
}
