import Domain
import EventLog
import Logging
package import Postgres
package import ReadModels

/// Where an answer is read.
package struct ReadSource: Sendable {
    package let pool: PostgresPool
    /// The moment as of which public data is read. Own data is read in its present state, which is at least as recent.
    package let moment: PublicMoment
}

/// An answer, and the moment as of which it was read.
package struct Shown<Value: Sendable>: Sendable {
    package let value: Value
    package let moment: PublicMoment

    /// A position that it shows at least.
    package var position: Int64 { moment.known }
}

/// The one way to read from the read models: waits until they have what an answer must show, and reads on a standby, or
/// else on the primary.
package struct Reads: Sendable {
    let log: LogState
    let primary: PostgresPool
    let router: ReadRouter
    let months: MonthEnds
    let logger: Logger
    /// The turns that a client's reads wait for; nil for none.
    var turns: FairTurns?

    /// The same reads, each in its client's turn.
    func inTurn(_ turns: FairTurns) -> Reads {
        var reads = self
        reads.turns = turns
        return reads
    }

    /// Reads an answer.
    /// - Parameter body: has no side effects and sends nothing before it ends, because the primary repeats it when a
    ///   standby fails.
    /// - Throws: ``ModelBehind``, ``DayNotOver``, ``FairTurns/Rejection``; what the database or `body` throws.
    package func read<Value: Sendable>(
        _ plan: ReadPlan, _ asked: Asked = Asked(), _ body: @escaping @Sendable (ReadSource) async throws -> Value
    ) async throws -> Shown<Value> {
        let plan = plan.asOf(asked.day)
        let need = try await reach(plan, asked)
        return try await inTurn {
            let read = { @Sendable (pool: PostgresPool, position: Int64) async throws -> Shown<Value> in
                let source = ReadSource(pool: pool, moment: need.moment(at: position))
                return Shown(value: try await body(source), moment: source.moment)
            }
            if let shown = try await router.read(plan, seeing: need.settled, read) { return shown }
            return try await read(primary, try await position(of: plan))
        }
    }

    /// Waits until the primary has what an answer must show. For answers that are read on the primary alone, because
    /// the read is recorded or has other effects.
    /// - Throws: ``ModelBehind``, ``DayNotOver``; what the database throws.
    package func wait(_ plan: ReadPlan, _ asked: Asked) async throws {
        _ = try await reach(plan.asOf(asked.day), asked)
    }

    /// The primary, once it has what an answer must show. For answers that are sent while they are read, which cannot
    /// begin again on another server.
    /// - Throws: ``ModelBehind``, ``DayNotOver``; what the database throws.
    func source(_ plan: ReadPlan, _ asked: Asked) async throws -> ReadSource {
        let plan = plan.asOf(asked.day)
        let need = try await reach(plan, asked)
        return ReadSource(pool: primary, moment: need.moment(at: try await position(of: plan)))
    }

    /// The position that an answer must show at least.
    func position(_ asked: Asked) -> Int64 {
        max(asked.position, asked.account.map { log.lastWrite(of: $0) } ?? 0)
    }
}

extension Reads {
    /// The requirements of an answer, as positions.
    private struct Need {
        let position: Int64
        /// The last position of the day that is asked for.
        let known: Int64?
        let day: CivilDate?
        let ends: MonthEnds.Ends

        /// The position that a server must have reached for a public answer. Below the end of the last month, a
        /// guarded record would appear when it is folded, which reveals its moment.
        var settled: Int64 { max(position, ends.settled) }

        func moment(at position: Int64) -> PublicMoment {
            PublicMoment(
                known: known ?? position, shown: position, guarded: ends.guarded, settled: ends.settled, of: day)
        }
    }

    /// Waits until all models of a plan have reached, on the primary, the position that is needed.
    private func reach(_ plan: ReadPlan, _ asked: Asked) async throws -> Need {
        logger.debug("reading", metadata: ["models": "\(plan.models.map(\.name).joined(separator: " "))"])
        try log.check(plan)
        let known = try await known(asked.day)
        let ends = try await months.ends(asOf: known ?? 0 > 0 ? asked.day : nil)
        let need = Need(position: max(position(asked), known ?? 0), known: known, day: asked.day, ends: ends)
        try await log.require(plan.isPublic ? need.settled : need.position, of: plan.models)
        return need
    }

    private func known(_ day: CivilDate?) async throws -> Int64? {
        guard let day else { return nil }
        guard let position = try await log.position(atEndOf: day) else { throw DayNotOver() }
        return position
    }

    /// The position that all models of a plan have reached on the primary. In a public answer, it is that of the main
    /// model, which the others must have reached.
    private func position(of plan: ReadPlan) async throws(ModelBehind) -> Int64 {
        guard plan.isPublic else { return plan.models.map { log.position(of: $0.name) }.min() ?? 0 }
        let position = log.position(of: plan.main.name)
        try await log.require(position, of: plan.others)
        return position
    }

    private func inTurn<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        guard let turns else { return try await body() }
        return try await turns.take(by: TurnClient.address, body)
    }
}
