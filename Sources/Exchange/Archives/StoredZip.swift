/// The parts of a zip file around the bytes of its entries, which are stored: the same entries always give the same
/// bytes. (``ZipWriter`` leaves headers and times to libarchive, whose versions differ.)
///
/// Entries are dated 1980-01-01, the first day that the format has. Sizes and positions from 4 GiB up, and only those,
/// are written in the fields of Zip64.
///
/// - Source: PKWARE, .ZIP File Format Specification 6.3.10, sections 4.3.7 to 4.3.16 and 4.5.3.
struct StoredZip {
    /// A file in the archive.
    struct Entry: Hashable, Sendable {
        /// ASCII.
        let name: String
        let size: UInt64
        /// CRC-32 of the bytes.
        let checksum: UInt32
    }

    private static let small: UInt64 = 0xFFFF_FFFF
    /// 1980-01-01, 00:00.
    private static let (time, date): (UInt16, UInt16) = (0, 1 << 5 | 1)
    /// Made as on Unix, for a regular file that all may read.
    private static let (system, attributes): (UInt16, UInt32) = (3 << 8, 0o100644 << 16)

    let entries: [Entry]

    /// Written before an entry's bytes.
    func header(of entry: Entry) -> [UInt8] {
        let isLarge = entry.size >= Self.small
        var bytes = LittleEndianBytes()
        bytes.append(0x0403_4B50 as UInt32)
        append(entry, isLarge: isLarge, sizes: isLarge ? Self.small : entry.size, extra: isLarge ? 20 : 0, to: &bytes)
        bytes.append(entry.name.utf8)
        if isLarge { Self.appendExtra([entry.size, entry.size], to: &bytes) }
        return bytes.bytes
    }

    /// Written after the bytes of the last entry.
    func directory() -> [UInt8] {
        var bytes = LittleEndianBytes()
        var position: UInt64 = 0
        for entry in entries {
            append(directoryEntry: entry, at: position, to: &bytes)
            position += UInt64(header(of: entry).count) + entry.size
        }
        let size = UInt64(bytes.bytes.count)
        if position >= Self.small || size >= Self.small {
            appendLargeEnd(size: size, position: position, to: &bytes)
        }
        bytes.append(0x0605_4B50 as UInt32)
        bytes.append(0 as UInt32)
        bytes.append(UInt16(clamping: entries.count))
        bytes.append(UInt16(clamping: entries.count))
        bytes.append(UInt32(clamping: size))
        bytes.append(UInt32(clamping: position))
        bytes.append(0 as UInt16)
        return bytes.bytes
    }

    /// The size of the whole file.
    var size: UInt64 {
        entries.reduce(UInt64(directory().count)) { $0 + UInt64(header(of: $1).count) + $1.size }
    }

    private func append(
        _ entry: Entry, isLarge: Bool, sizes: UInt64, extra: UInt16, to bytes: inout LittleEndianBytes
    ) {
        bytes.append(isLarge ? 45 : 10 as UInt16)
        // No flags; the method is 0, stored.
        bytes.append(0 as UInt16)
        bytes.append(0 as UInt16)
        bytes.append(Self.time)
        bytes.append(Self.date)
        bytes.append(entry.checksum)
        bytes.append(UInt32(clamping: sizes))
        bytes.append(UInt32(clamping: sizes))
        bytes.append(UInt16(clamping: entry.name.utf8.count))
        bytes.append(extra)
    }

    private func append(directoryEntry entry: Entry, at position: UInt64, to bytes: inout LittleEndianBytes) {
        let large =
            (entry.size >= Self.small ? [entry.size, entry.size] : []) + (position >= Self.small ? [position] : [])
        bytes.append(0x0201_4B50 as UInt32)
        bytes.append(Self.system | (large.isEmpty ? 10 : 45))
        let extra = large.isEmpty ? 0 : UInt16(4 + 8 * large.count)
        append(entry, isLarge: !large.isEmpty, sizes: entry.size, extra: extra, to: &bytes)
        // No comment; the first disk; binary.
        bytes.append(0 as UInt16)
        bytes.append(0 as UInt16)
        bytes.append(0 as UInt16)
        bytes.append(Self.attributes)
        bytes.append(UInt32(clamping: position))
        bytes.append(entry.name.utf8)
        if !large.isEmpty { Self.appendExtra(large, to: &bytes) }
    }

    private static func appendExtra(_ values: [UInt64], to bytes: inout LittleEndianBytes) {
        bytes.append(1 as UInt16)
        bytes.append(UInt16(8 * values.count))
        for value in values { bytes.append(value) }
    }

    /// The Zip64 end of the directory and its locator.
    private func appendLargeEnd(size: UInt64, position: UInt64, to bytes: inout LittleEndianBytes) {
        bytes.append(0x0606_4B50 as UInt32)
        bytes.append(44 as UInt64)
        bytes.append(Self.system | 45)
        bytes.append(45 as UInt16)
        bytes.append(0 as UInt32)
        bytes.append(0 as UInt32)
        bytes.append(UInt64(entries.count))
        bytes.append(UInt64(entries.count))
        bytes.append(size)
        bytes.append(position)
        bytes.append(0x0706_4B50 as UInt32)
        bytes.append(0 as UInt32)
        bytes.append(position + size)
        bytes.append(1 as UInt32)
    }
}

/// Bytes to which integers are appended, the lowest byte first.
private struct LittleEndianBytes {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: some FixedWidthInteger & UnsignedInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: String.UTF8View) {
        bytes.append(contentsOf: text)
    }
}
