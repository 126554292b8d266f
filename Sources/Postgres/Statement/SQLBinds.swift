/// The values of a statement in their binary form, one behind the other.
///
/// One buffer for all: binding a value costs no allocation of its own.
struct SQLBinds: Sendable {
    /// The protocol counts parameters in sixteen bits.
    static let limit = 65_535

    /// Type of each value.
    private(set) var types: [PostgresType] = []
    /// Where each value ends in ``bytes``; it starts where the one before ends.
    private var ends: [Int] = []
    private var nulls: [Bool] = []
    private var writer = PostgresWriter()

    var count: Int { types.count }

    /// Bytes of all values together.
    var size: Int { writer.bytes.count }

    mutating func reserveCapacity(_ count: Int) {
        types.reserveCapacity(count)
        ends.reserveCapacity(count)
        nulls.reserveCapacity(count)
    }

    /// A value that cannot be encoded is counted as NULL, so that numbers stay right for the error.
    mutating func append<Value: PostgresEncodable>(_ value: Value) throws(PostgresEncodingFault) {
        types.append(Value.postgresType)
        nulls.append(value.isNull)
        defer { ends.append(writer.bytes.count) }
        if !value.isNull { try value.encode(into: &writer) }
        guard writer.bytes.count - (ends.last ?? 0) <= PostgresWriter.longestValue else {
            throw PostgresEncodingFault("a value is longer than 1 GiB")
        }
    }

    mutating func append(contentsOf other: SQLBinds) {
        let base = writer.bytes.count
        types += other.types
        nulls += other.nulls
        ends += other.ends.map { base + $0 }
        writer.write(other.writer.bytes)
    }

    /// Lends the arrays libpq wants: a pointer a value (nil for NULL) and a length a value.
    func withPointers<Result>(
        _ body: (_ values: [UnsafePointer<CChar>?], _ lengths: [Int32]) -> Result
    ) -> Result {
        guard count > 0 else { return body([], []) }
        return writer.bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                // An empty value needs an address too: nil would be NULL.
                withUnsafePointer(to: CChar(0)) { placeholder in
                    let base = bytes.baseAddress ?? placeholder
                    var values: [UnsafePointer<CChar>?] = []
                    var lengths: [Int32] = []
                    values.reserveCapacity(count)
                    lengths.reserveCapacity(count)
                    var start = 0
                    for (end, isNull) in zip(ends, nulls) {
                        values.append(isNull ? nil : base + start)
                        lengths.append(Int32(end - start))
                        start = end
                    }
                    return body(values, lengths)
                }
            }
        }
    }
}
