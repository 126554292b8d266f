/// Processes several inputs at once, and settles their results in the order of the inputs.
enum Pipeline {
    /// - Parameters:
    ///   - width: most inputs begun and not yet settled, which bounds the memory used.
    ///   - next: the next input; nil at the end.
    /// - Throws: what the closures throw; work in progress is then cancelled.
    static func run<Input: Sendable, Output: Sendable>(
        width: Int, next: () async throws -> Input?, work: @escaping @Sendable (Input) async throws -> Output,
        settle: (Output) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (Int, Output).self) { group in
            var (started, settled, isAtEnd) = (0, 0, false)
            var waiting: [Int: Output] = [:]
            while !isAtEnd || settled < started {
                if !isAtEnd, started - settled < width {
                    guard let input = try await next() else {
                        isAtEnd = true
                        continue
                    }
                    group.addTask { [started] in (started, try await work(input)) }
                    started += 1
                    continue
                }
                guard let (number, output) = try await group.next() else { break }
                waiting[number] = output
                while let output = waiting.removeValue(forKey: settled) {
                    settled += 1
                    try await settle(output)
                }
            }
        }
    }
}
