/// Reads the binary form of one value, in network byte order; every step checks what is left and throws.
///
/// A reader is only lent to a decoder: it points into the result and must not be kept.
package struct PostgresReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// Reads `bytes`, which must outlive the reader.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// How many bytes are left.
    package var remaining: Int { bytes.count - offset }

    /// Reads an integer, most significant byte first.
    package mutating func read<Integer: FixedWidthInteger>(
        _ type: Integer.Type = Integer.self
    ) throws(PostgresDecodingFault) -> Integer {
        let size = MemoryLayout<Integer>.size
        guard remaining >= size else { throw .tooShort }
        defer { offset += size }
        return Integer(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Integer.self))
    }

    /// Reads `count` bytes, or all that is left.
    package mutating func readBytes(_ count: Int? = nil) throws(PostgresDecodingFault) -> [UInt8] {
        Array(try slice(count ?? remaining))
    }

    /// Reads `count` bytes, or all that is left, as UTF-8.
    package mutating func readString(_ count: Int? = nil) throws(PostgresDecodingFault) -> String {
        let bytes = UnsafeRawBufferPointer(rebasing: try slice(count ?? remaining)).assumingMemoryBound(to: UInt8.self)
        guard let text = try? UTF8Span(validating: bytes.span) else { throw .invalidUTF8 }
        return String(copying: text)
    }

    /// A reader of the next `count` bytes alone.
    package mutating func reader(of count: Int) throws(PostgresDecodingFault) -> PostgresReader {
        PostgresReader(UnsafeRawBufferPointer(rebasing: try slice(count)))
    }

    /// Checks that nothing is left.
    package func finish() throws(PostgresDecodingFault) {
        guard remaining == 0 else { throw .tooLong }
    }

    private mutating func slice(_ count: Int) throws(PostgresDecodingFault) -> Slice<UnsafeRawBufferPointer> {
        guard count >= 0, count <= remaining else { throw .tooShort }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }
}

/// Why a value cannot be decoded; holds no value.
package enum PostgresDecodingFault: Error, Hashable {
    /// The value ends too soon.
    case tooShort
    /// The value goes on after its end.
    case tooLong
    /// Text that is not UTF-8.
    case invalidUTF8
    /// NULL where a value is needed.
    case unexpectedNull
    /// A type the Swift type does not stand for.
    case wrongType(PostgresType)
    /// The bytes break a rule of their format.
    case malformed(String)

    /// The rule that is broken, for developers.
    package var reason: String {
        switch self {
        case .tooShort: "the value is too short"
        case .tooLong: "the value is too long"
        case .invalidUTF8: "the text is not UTF-8"
        case .unexpectedNull: "the value is NULL"
        case .wrongType(let type): "the column has \(type)"
        case .malformed(let rule): rule
        }
    }
}
