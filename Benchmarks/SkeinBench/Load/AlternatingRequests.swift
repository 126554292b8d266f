/// Requests to two services over one connection to each, in turn, so that a noisy minute hits both. None is sent before
/// the one before it is answered.
struct AlternatingRequests: Sendable {
    /// Requests to either service in a run.
    let count: Int

    /// The 99th percentiles of the time of an answer, in milliseconds.
    /// - Parameters:
    ///   - paths: requested from one service, one after the other and over again.
    ///   - others: requested from the other service.
    func p99(
        _ paths: [String], _ one: KeptConnection, against others: [String], _ other: KeptConnection
    ) async throws -> (ours: Double, reference: Double) {
        var (ours, reference): ([Double], [Double]) = ([], [])
        for number in 0..<count {
            let (path, counterpart) = (paths[number % paths.count], others[number % others.count])
            // Each side is first in half of the rounds.
            if (number / paths.count).isMultiple(of: 2) {
                ours.append(try await milliseconds(path, one))
                reference.append(try await milliseconds(counterpart, other))
            } else {
                reference.append(try await milliseconds(counterpart, other))
                ours.append(try await milliseconds(path, one))
            }
        }
        return (ours.quantile(0.99), reference.quantile(0.99))
    }

    private func milliseconds(_ path: String, _ connection: KeptConnection) async throws -> Double {
        let start = ContinuousClock.now
        let answer = try await connection.get(path)
        let took = start.duration(to: .now)
        try answer.expect(200, path)
        return took.seconds * 1_000
    }
}
