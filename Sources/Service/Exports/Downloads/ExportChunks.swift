package import NIOCore

/// The bytes of a revision in pieces, for as long as they may be given out.
package struct ExportChunks: AsyncSequence, Sendable {
    /// The revision was restricted while its bytes were sent, or could not be looked at for too long.
    package struct Ended: Error {}

    private let pieces: AsyncThrowingStream<ByteBuffer, any Error>
    private let mayGoOn: @Sendable () -> Bool

    init(_ pieces: AsyncThrowingStream<ByteBuffer, any Error>, while mayGoOn: @escaping @Sendable () -> Bool) {
        (self.pieces, self.mayGoOn) = (pieces, mayGoOn)
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pieces: pieces.makeAsyncIterator(), mayGoOn: mayGoOn)
    }

    /// Asks before every piece whether it may be sent.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var pieces: AsyncThrowingStream<ByteBuffer, any Error>.AsyncIterator
        fileprivate let mayGoOn: @Sendable () -> Bool

        /// - Throws: ``Ended``; what reading the store throws.
        package mutating func next() async throws -> ByteBuffer? {
            guard mayGoOn() else { throw Ended() }
            return try await pieces.next()
        }
    }
}
