/// A range of positions that one statement searches: short enough that it ends soon, and holds no snapshot for long.
struct LogWindow: Sendable {
    private static let size: Int64 = 50_000

    /// The position before the first one.
    let position: Int64
    let last: Int64

    /// The windows of all positions after one and up to another, in their order.
    static func all(after position: Int64, upTo head: Int64) -> some Sequence<LogWindow> {
        stride(from: position, to: head, by: Int(size)).lazy.map {
            LogWindow(position: $0, last: min($0 + size, head))
        }
    }
}
