/// The checksum of gzip and zip, over bytes in pieces of any size; eight bytes a step ("slicing by 8").
///
/// - Source: RFC 1952, section 8; the polynomial is 0xEDB88320, reflected.
struct CRC32 {
    /// Eight tables of 256 after one another: table `k` is a byte followed by `k` zero bytes.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = (0..<256).map(Self.shifted)
        for index in 256..<(8 * 256) {
            let previous = tables[index - 256]
            tables.append((previous >> 8) ^ tables[Int(previous & 0xFF)])
        }
        return tables
    }()

    /// A byte after eight divisions by the polynomial.
    private static func shifted(_ byte: UInt32) -> UInt32 {
        var crc = byte
        for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
        return crc
    }

    private var state: UInt32 = 0xFFFF_FFFF

    /// The checksum of the bytes so far.
    var value: UInt32 { ~state }

    /// Takes the next bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        Self.tables.withUnsafeBufferPointer { tables in
            var index = 0
            while index + 8 <= bytes.count {
                let low = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)) ^ state
                let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self))
                state = Self.fold(low, tables, first: 7) ^ Self.fold(high, tables, first: 3)
                index += 8
            }
            for byte in bytes[index...] { state = (state >> 8) ^ tables[Int((state ^ UInt32(byte)) & 0xFF)] }
        }
    }

    private static func fold(_ word: UInt32, _ tables: UnsafeBufferPointer<UInt32>, first: Int) -> UInt32 {
        var folded: UInt32 = 0
        for step in 0..<4 {
            let byte = Int(truncatingIfNeeded: word >> (8 * UInt32(step))) & 0xFF
            folded ^= tables[(first - step) * 256 + byte]
        }
        return folded
    }
}
