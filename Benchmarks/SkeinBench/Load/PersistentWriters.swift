import NIOConcurrencyHelpers

/// Writers that submit one sighting after another, whatever becomes of them.
struct PersistentWriters: Sendable {
    static let count = 10
    /// A recovery that takes longer counts as none.
    private static let timeout = Duration.seconds(120)
    /// After this time a writer gives a submission up and sends the next; the service answers within 20 seconds.
    private static let answerTimeout = Duration.seconds(25)

    private let client: APIClient
    /// When each writer's submissions were acknowledged.
    private let acknowledged = NIOLockedValueBox([[ContinuousClock.Instant]](repeating: [], count: Self.count))
    private let lastFailure = NIOLockedValueBox("")

    /// Runs something with the writers at work, each acknowledged once.
    /// - Parameter client: has a token.
    static func with<Value: Sendable>(
        _ client: APIClient, _ body: @Sendable (PersistentWriters) async throws -> Value
    ) async throws -> Value {
        let writers = PersistentWriters(client: client)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count { group.addTask { await writers.write(number) } }
            defer { group.cancelAll() }
            _ = try await writers.acknowledgements(after: .now)
            return try await body(writers)
        }
    }

    private init(client: APIClient) {
        self.client = client
    }

    private func write(_ number: Int) async {
        var turn = number
        while !Task.isCancelled {
            do {
                try await submit(turn)
                acknowledged.withLockedValue { $0[number].append(.now) }
            } catch {
                lastFailure.withLockedValue { $0 = "\(error)" }
            }
            turn += Self.count
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private func submit(_ turn: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await client.post("/v1/sightings", Array(Submissions.body(turn).utf8)).expect(201, "submitting")
            }
            group.addTask {
                try await Task.sleep(for: Self.answerTimeout)
                show("  a submission was not answered within \(Self.answerTimeout)")
                throw ProgramError(description: "a submission was not answered within \(Self.answerTimeout)")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Waits until each writer has been acknowledged after a moment.
    /// - Returns: the times from the moment to the first acknowledgement of any writer, and of the last one.
    /// - Throws: ``ProgramError`` after two minutes.
    func acknowledgements(
        after moment: ContinuousClock.Instant
    ) async throws -> (first: Duration, all: Duration) {
        while moment.duration(to: .now) < Self.timeout {
            let firsts = acknowledged.withLockedValue { all in all.compactMap { $0.first { $0 >= moment } } }
            if firsts.count == Self.count, let first = firsts.min(), let last = firsts.max() {
                return (moment.duration(to: first), moment.duration(to: last))
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        let reason = lastFailure.withLockedValue(\.self)
        throw ProgramError(description: "not every writer was acknowledged within \(Self.timeout): \(reason)")
    }
}
