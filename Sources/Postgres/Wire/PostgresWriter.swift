/// Collects the binary form of a value, in network byte order.
package struct PostgresWriter: Sendable {
    /// What has been written.
    package private(set) var bytes: [UInt8] = []

    /// Appends an integer, most significant byte first.
    package mutating func write<Integer: FixedWidthInteger>(_ integer: Integer) {
        withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends bytes as they are.
    package mutating func write(_ newBytes: some Sequence<UInt8>) {
        bytes.append(contentsOf: newBytes)
    }

    /// Appends what `body` writes, preceded by its length as an `int4`.
    ///
    /// - Throws: what `body` throws, or an encoding fault when it wrote more than PostgreSQL can take (1 GiB).
    package mutating func writeCounted(
        _ body: (inout PostgresWriter) throws(PostgresEncodingFault) -> Void
    ) throws(PostgresEncodingFault) {
        let header = bytes.count
        write(Int32(0))
        try body(&self)
        let length = bytes.count - header - 4
        guard length <= Self.longestValue else { throw PostgresEncodingFault("a value is longer than 1 GiB") }
        withUnsafeBytes(of: Int32(length).bigEndian) { bytes.replaceSubrange(header..<header + 4, with: $0) }
    }

    /// PostgreSQL's limit for one value (`MaxAllocSize`), in bytes.
    static let longestValue = 0x3fff_ffff
}

/// Why a value cannot be sent; holds no value.
package struct PostgresEncodingFault: Error {
    /// The rule that is broken.
    package let reason: String

    /// States the rule.
    package init(_ reason: String) {
        self.reason = reason
    }
}
