/// Does something with all items, some of them at once.
/// - Parameter most: how many at once; nil for all.
/// - Returns: the outcomes in the order of the items.
func concurrently<Item: Sendable, Value: Sendable>(
    _ items: [Item], atMost most: Int? = nil, _ body: @escaping @Sendable (Int, Item) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        var values: [Int: Value] = [:]
        for (number, item) in items.enumerated() {
            if let most, number >= most, let (index, value) = try await group.next() { values[index] = value }
            group.addTask { (number, try await body(number, item)) }
        }
        for try await (index, value) in group { values[index] = value }
        return values.sorted { $0.key < $1.key }.map(\.value)
    }
}
