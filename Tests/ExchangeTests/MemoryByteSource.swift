import Exchange

/// Bytes already in memory, handed out in pieces of a chosen size.
final class MemoryByteSource: ByteSource {
    private let bytes: [UInt8]
    private let largestPiece: Int
    private var position = 0

    /// Serves `bytes`, at most `largestPiece` of them at a time (at least one).
    init(_ bytes: [UInt8], largestPiece: Int = .max) {
        self.bytes = bytes
        self.largestPiece = max(largestPiece, 1)
    }

    var progress: ByteProgress { .init(consumed: position, total: bytes.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = min(buffer.count, largestPiece, bytes.count - position)
        bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[position..<position + count])) }
        position += count
        return count
    }
}
