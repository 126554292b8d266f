package import Hummingbird
package import NIOCore
import NIOPosix

/// Disconnects a client that reads too slowly, for responses that hold a turn as long as the client reads.
package struct ReadingPace {
    /// The bytes that a client has to read in a second, on average.
    package enum Least: Int {
        /// A sequence holds a database connection and a snapshot.
        case sequence = 65_536
        /// Low enough for a slow phone.
        case ownData = 16_384
    }

    /// How long a client may pause, or be behind.
    static let grace: Duration = .seconds(10)

    private let bytesPerSecond: Double
    private let channel: any Channel
    private let grace: Duration
    private var spare: Duration

    package init(_ least: Least, of channel: any Channel, grace: Duration = Self.grace) {
        (bytesPerSecond, self.channel) = (Double(least.rawValue), channel)
        (self.grace, spare) = (grace, grace)
    }

    /// Writes once the client has read what was written before. Only the time for which the client makes the writer
    /// wait counts.
    /// - Throws: what writing throws, also because the connection was closed.
    package mutating func write(_ buffer: ByteBuffer, to writer: inout any ResponseBodyWriter) async throws {
        let (start, channel) = (ContinuousClock.now, channel)
        let closing = MultiThreadedEventLoopGroup.singleton.next().scheduleTask(in: TimeAmount(spare)) {
            channel.close(promise: nil)
        }
        defer { closing.cancel() }
        let bytes = Double(buffer.readableBytes)
        try await writer.write(buffer)
        spare = min(grace, spare - start.duration(to: .now) + .seconds(bytes / bytesPerSecond))
    }
}
