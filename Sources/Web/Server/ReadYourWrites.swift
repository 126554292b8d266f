package import Domain
package import HTTPTypes
package import Service

/// What the HTTP face needs to know about the log and the models that follow it.
package protocol LogFollowing: Sendable {
    /// The position that an earlier answer of any process gave.
    /// - Throws: `PositionSeal.Fault`.
    func position(sealedAs token: String) async throws -> Int64
    /// The position of the account's last acknowledged write in this process; 0 when there is none, or it is forgotten
    /// because every model has it.
    func lastWrite(of account: AccountID) -> Int64
    /// Whether a model must not be read, because it lacks too much of the log, restrictions included, or is ahead of
    /// it.
    func isBehind(_ model: String) -> Bool
    /// Waits until a model has folded everything up to a position.
    /// - Returns: whether it has, within the time.
    func hasReached(_ position: Int64, model: String, within timeout: Duration) async throws -> Bool
}

/// Makes a read wait for its model: any read for its `Log-Position`, and one of an account's own data for the account's
/// last write in this process.
package struct ReadYourWrites: Sendable {
    private let log: any LogFollowing
    private let timeout: Duration

    /// - Parameter timeout: how long a read may wait; two seconds unless a test wants less.
    package init(_ log: any LogFollowing, timeout: Duration = .seconds(2)) {
        self.log = log
        self.timeout = timeout
    }

    /// Waits for the required position, if any. A model that is behind is not read.
    /// - Parameters:
    ///   - account: whose own data is read; nil for public data.
    ///   - shown: the position of an earlier page of the same list.
    /// - Returns: the position that the answer must show, wherever it is read; 0 for any.
    /// - Throws: `PositionSeal.Fault`; `ProblemDetails` (503) if the model does not reach it in time, or is behind.
    @discardableResult
    package func wait(
        _ headers: HTTPFields, model: String, account: AccountID? = nil, after shown: Int64 = 0
    ) async throws -> Int64 {
        if log.isBehind(model) { throw ProblemDetails.unavailable(.modelBehind) }
        var position = max(shown, account.map { log.lastWrite(of: $0) } ?? 0)
        if let token = headers[.logPosition] {
            position = max(position, try await log.position(sealedAs: token))
        }
        if position > 0 { try await wait(for: position, model: model) }
        return position
    }

    /// Waits until a model has reached a position.
    /// - Throws: `ProblemDetails` (503) if it does not in time.
    package func wait(for position: Int64, model: String) async throws {
        guard try await log.hasReached(position, model: model, within: timeout) else {
            throw ProblemDetails.unavailable(.modelBehind)
        }
    }
}

extension LogState: LogFollowing {
    /// Waits for a read model.
    package func hasReached(_ position: Int64, model: String, within timeout: Duration) async throws -> Bool {
        await wait(for: position, model: model, atMost: timeout)
    }
}
