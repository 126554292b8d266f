extension FixedWidthInteger {
    /// The bytes, most significant first.
    package var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }

    /// Reads an integer, most significant byte first; nil unless the number of bytes is exactly its size.
    package init?(bigEndianBytes bytes: some Collection<UInt8>) {
        guard bytes.count * 8 == Self.bitWidth else { return nil }
        self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}
