import Domain

/// What requests of many items share.
enum BatchItems {
    /// Runs the command of one item. Faults that are found only then point into the request too.
    /// - Parameter place: a JSON Pointer (RFC 6901) to the item's members.
    static func pointing<Result>(to place: String, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let faults as Faults {
            throw faults.at(place)
        } catch SightingRejection.invalid(let faults) {
            throw faults.at(place)
        } catch PhotoRejection.invalid(let faults) {
            throw faults.at(place)
        }
    }

    /// The results of all items, in their order.
    /// - Parameter limit: items at work at the same time.
    static func results<Item: Sendable, Result: Sendable>(
        of items: [Item], atOnce limit: Int, _ body: @escaping @Sendable (Int, Item) async -> Result
    ) async -> [Result] {
        await withTaskGroup(of: (Int, Result).self) { group in
            var results: [Result?] = Array(repeating: nil, count: items.count)
            for (index, item) in items.enumerated() {
                if index >= limit, let (done, result) = await group.next() { results[done] = result }
                group.addTask { (index, await body(index, item)) }
            }
            for await (done, result) in group { results[done] = result }
            return results.compactMap { $0 }
        }
    }
}
