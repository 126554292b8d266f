package import HTTPTypes

/// What the HTTP face needs to know about the log and the models that follow it.
package protocol LogFollowing: Sendable {
    /// The log's epoch and head.
    func head() async throws -> LogPosition
    /// Whether a model has not yet come as far as the log was when this process started: it would answer from a past
    /// in which later restrictions are missing.
    func isBuilding(_ model: String) -> Bool
    /// Waits until a model has folded everything up to a position.
    /// - Returns: whether it has, within the time.
    func hasReached(_ position: Int64, model: String, within patience: Duration) async throws -> Bool
}

/// Lets a reader see what it wrote: a read that sends `Log-Position` waits until its model has come that far.
package struct ReadYourWrites: Sendable {
    private let log: any LogFollowing
    private let patience: Duration

    /// - Parameter patience: how long a read may wait; two seconds unless a test wants less.
    package init(_ log: any LogFollowing, patience: Duration = .seconds(2)) {
        self.log = log
        self.patience = patience
    }

    /// Waits if the request asks for it; without the header a read goes on at once. While a model is being built
    /// after a start, nobody reads it.
    /// - Throws: `ProblemDetails`: 400 for a position that is none or above the head, 409 for one of an earlier epoch,
    ///   503 when the model is not there in time, or is being built.
    package func wait(_ headers: HTTPFields, model: String) async throws {
        if log.isBuilding(model) { throw ProblemDetails.unavailable(.modelBehind) }
        guard let given = try GivenLogPosition(headers) else { return }
        let position = try given.resolved(against: try await log.head())
        guard try await log.hasReached(position.position, model: model, within: patience) else {
            throw ProblemDetails.unavailable(.modelBehind)
        }
    }
}
