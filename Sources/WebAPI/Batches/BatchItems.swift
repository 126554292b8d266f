import Domain
import Hummingbird
import JSON
import Web

/// Helpers for requests with many items.
enum BatchItems {
    /// Reads `items`, and counts them towards the quotas.
    /// - Throws: `Faults`; `ProblemDetails` (400, 413, 429).
    static func read(
        _ request: Request, count: ClosedRange<Int>, _ context: APIContext
    ) async throws -> [JSONValue] {
        var body = JSONObjectReader(try await request.json(limits: .batch))
        let items = body.items("items", count: count) ?? []
        try body.finish()
        // The request itself counted as one.
        if items.count > 1 { try context.allowance?.take(items: items.count - 1) }
        return items
    }

    /// Runs the command of one item. Pointers of the faults that it throws are made relative to the request.
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
    /// - Parameter limit: the most items in progress at the same time.
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

extension JSONObjectReader {
    /// Reads the `key` of an item.
    mutating func itemKey() -> IdempotencyKey? {
        required("key", String.self) { (text) throws(RuleViolation) in
            guard let key = IdempotencyKey(text: text) else { throw RuleViolation(.format, "must be a UUID") }
            return key
        }
    }
}
