import TestRandom
import Testing

@testable import Postgres

/// The conversation without a server: answers as libpq gives them.
struct PipelineMachineTests {
    private typealias Machine = PipelineMachine<String>

    private func command(_ id: CommandID, _ sql: SQL = "SELECT 1", limit: TimeLimit? = nil) -> PipelineCommand {
        PipelineCommand(id: id, work: .statement(sql), caller: .here(), limit: limit)
    }

    private func error(_ state: SQLState) -> PostgresError {
        PostgresError(server: ServerReport(severity: "ERROR", sqlState: state, message: ""))
    }

    /// Submits a command and sends it.
    private func start(_ machine: inout Machine, _ id: CommandID, _ sql: SQL = "SELECT 1") -> PipelineTransmission? {
        machine.submit(command(id, sql))
        return machine.nextTransmission()
    }

    @discardableResult
    private func receive(_ machine: inout Machine, _ answers: [PipelineAnswer<String>]) -> [String] {
        answers.compactMap { machine.receive($0) }.map { outcome in
            switch outcome {
            case .succeeded(let id, let output): "\(id) \(output)"
            case .failed(let id, let error): "\(id) \(error.sqlState?.rawValue ?? "\(error.kind)")"
            case .retried(let id): "\(id) again"
            case .outOfStep: "out of step"
            }
        }
    }

    private let prepared: [PipelineAnswer<String>] = [.result("PREPARE"), .end]

    @Test func `a statement is prepared once`() {
        var machine = Machine()
        guard case .prepareAndExecute(_, "s1") = start(&machine, 1) else { return #expect(Bool(false)) }
        guard case .execute(_, "s1") = start(&machine, 2) else { return #expect(Bool(false)) }
        #expect(receive(&machine, prepared + [.result("a"), .end, .sync(.idle)]) == ["1 a"])
        #expect(receive(&machine, [.result("b"), .end, .sync(.idle)]) == ["2 b"])
        #expect(machine.isIdle)
    }

    @Test func `success is reported only after the sync`() {
        var machine = Machine()
        _ = start(&machine, 1)
        #expect(receive(&machine, prepared + [.result("a"), .end]) == [])
        #expect(receive(&machine, [.sync(.idle)]) == ["1 a"])
    }

    @Test func `a commit that fails after its result is a failure`() {
        var machine = Machine()
        _ = start(&machine, 1)
        receive(&machine, prepared + [.result("a"), .end])
        #expect(receive(&machine, [.failure(error(.foreignKeyViolation)), .end, .sync(.idle)]) == ["1 23503"])
    }

    @Test func `an error in preparing skips the run and is forgotten`() {
        var machine = Machine()
        _ = start(&machine, 1)
        #expect(receive(&machine, [.failure(error(.syntaxError)), .end, .skipped, .end, .sync(.idle)]) == ["1 42601"])
        guard case .prepareAndExecute(_, "s2") = start(&machine, 2) else { return #expect(Bool(false)) }
    }

    @Test func `an error stays with its command`() {
        var machine = Machine()
        _ = start(&machine, 1)
        _ = start(&machine, 2)
        receive(&machine, prepared)
        #expect(receive(&machine, [.failure(error(.divisionByZero)), .end, .sync(.idle)]) == ["1 22012"])
        #expect(receive(&machine, [.result("b"), .end, .sync(.idle)]) == ["2 b"])
    }

    @Test(arguments: [SQLState.invalidStatementName, .featureNotSupported])
    func `a stale plan is prepared again once`(state: SQLState) {
        var machine = Machine()
        _ = start(&machine, 1)
        receive(&machine, prepared + [.result("a"), .end, .sync(.idle)])
        _ = start(&machine, 2)
        #expect(receive(&machine, [.failure(error(state)), .end, .sync(.idle)]) == ["2 again"])
        guard case .prepareAndExecute(_, "s2") = machine.nextTransmission() else { return #expect(Bool(false)) }
        #expect(receive(&machine, prepared + [.failure(error(state)), .end, .sync(.idle)]) == ["2 \(state)"])
        #expect(machine.isIdle)
    }

    @Test func `many that run into the same stale plan share the new one`() {
        var machine = Machine()
        _ = start(&machine, 1)
        receive(&machine, prepared + [.result("a"), .end, .sync(.idle)])
        for id: CommandID in 2...4 { _ = start(&machine, id) }
        for _ in 2...4 { receive(&machine, [.failure(error(.featureNotSupported)), .end, .sync(.idle)]) }
        var names: [String] = []
        while let next = machine.nextTransmission() {
            switch next {
            case .prepareAndExecute(_, let name): names.append("prepare \(name)")
            case .execute(_, let name): names.append("execute \(name)")
            case .deallocate, .beginExclusive: names.append("?")
            }
        }
        #expect(names == ["prepare s2", "execute s2", "execute s2"])
    }

    @Test func `in a transaction a stale plan is an error`() {
        var machine = Machine()
        _ = start(&machine, 1)
        receive(&machine, prepared + [.result("a"), .end, .sync(.open)])
        _ = start(&machine, 2)
        #expect(receive(&machine, [.failure(error(.featureNotSupported)), .end, .sync(.failed)]) == ["2 0A000"])
    }

    @Test func `where the transaction is not known the server decides`() {
        var machine = Machine()
        _ = start(&machine, 1)
        receive(&machine, prepared + [.result("a"), .end, .sync(.open)])
        _ = start(&machine, 2)
        #expect(receive(&machine, [.failure(error(.featureNotSupported)), .end, .sync(.unknown)]) == ["2 again"])
        _ = machine.nextTransmission()
        let rejection: [PipelineAnswer<String>] = [.failure(error(.inFailedTransaction)), .end, .skipped, .end]
        #expect(receive(&machine, rejection + [.sync(.failed)]) == ["2 0A000"])
    }

    @Test func `the window bounds what is in flight`() {
        var machine = Machine(window: .init(commands: 2, bytes: 100))
        for id: CommandID in 1...3 { machine.submit(command(id)) }
        #expect(machine.nextTransmission() != nil)
        #expect(machine.nextTransmission() != nil)
        #expect(machine.nextTransmission() == nil)
        receive(&machine, prepared + [.result("a"), .end, .sync(.idle)])
        #expect(machine.nextTransmission() != nil)
    }

    @Test func `a command larger than the window goes alone`() {
        var machine = Machine(window: .init(commands: 10, bytes: 100))
        let large = [UInt8](repeating: 0, count: 1000)
        machine.submit(command(1, "SELECT \(large)"))
        machine.submit(command(2, "SELECT \(large)"))
        #expect(machine.nextTransmission() != nil)
        #expect(machine.nextTransmission() == nil)
        receive(&machine, prepared + [.result("a"), .end, .sync(.idle)])
        #expect(machine.nextTransmission() != nil)
    }

    @Test func `exclusive work waits until all is answered and holds back the rest`() {
        var machine = Machine()
        _ = start(&machine, 1)
        machine.submit(PipelineCommand(id: 2, work: .exclusive, caller: .here()))
        machine.submit(command(3))
        #expect(machine.nextTransmission() == nil)
        receive(&machine, prepared + [.result("a"), .end, .sync(.idle)])
        guard case .beginExclusive(2) = machine.nextTransmission() else { return #expect(Bool(false)) }
        #expect(machine.nextTransmission() == nil)
        #expect(!machine.isIdle)
        machine.endExclusive()
        guard case .execute = machine.nextTransmission() else { return #expect(Bool(false)) }
    }

    @Test func `only waiting commands can be taken back`() {
        var machine = Machine(window: .init(commands: 1, bytes: 100))
        _ = start(&machine, 1)
        machine.submit(command(2))
        #expect(machine.cancel(1) == false)
        #expect(machine.cancel(2) == true)
        #expect(machine.cancel(2) == false)
        #expect(receive(&machine, prepared + [.result("a"), .end, .sync(.idle)]) == ["1 a"])
        #expect(machine.isIdle)
    }

    @Test func `waiting commands expire in order`() {
        let start = ContinuousClock.now
        var machine = Machine(window: .init(commands: 1, bytes: 100))
        for id: CommandID in 1...3 {
            machine.submit(command(id, limit: TimeLimit(.seconds(10), wait: .seconds(Int(id)), from: start)))
        }
        _ = machine.nextTransmission()
        #expect(machine.nextDeadline == start + .seconds(2))
        #expect(machine.expire(at: start + .milliseconds(1999)).isEmpty)
        #expect(machine.expire(at: start + .seconds(2)).map(\.id) == [2])
        #expect(machine.nextDeadline == start + .seconds(3))
        #expect(machine.expire(at: start + .seconds(3)).map(\.id) == [3])
        #expect(machine.nextDeadline == start + .seconds(10))
        #expect(!machine.isOverdue(at: start + .milliseconds(9_999)))
        #expect(machine.isOverdue(at: start + .seconds(10)))
    }

    @Test func `an evicted statement is deallocated once the failed transaction is over`() {
        var machine = Machine(statementCapacity: 1)
        _ = start(&machine, 1)
        receive(&machine, prepared + [.result("a"), .end, .sync(.open)])
        _ = start(&machine, 2, "SELECT 1 / 0")
        guard case .deallocate("s1") = machine.nextTransmission() else { return #expect(Bool(false)) }
        receive(&machine, [.failure(error(.divisionByZero)), .end, .skipped, .end, .sync(.failed)])
        receive(&machine, [.failure(error(.inFailedTransaction)), .end, .sync(.failed)])
        guard case nil = machine.nextTransmission() else { return #expect(Bool(false)) }
        #expect(machine.isIdle)
        _ = start(&machine, 3, "ROLLBACK")
        receive(&machine, prepared + [.result("c"), .end, .sync(.idle)])
        guard case .deallocate("s1") = machine.nextTransmission() else { return #expect(Bool(false)) }
    }

    @Test func `every command fails once when the connection goes`() {
        var machine = Machine(window: .init(commands: 2, bytes: 100))
        for id: CommandID in 1...4 { machine.submit(command(id)) }
        _ = machine.nextTransmission()
        _ = machine.nextTransmission()
        receive(&machine, prepared + [.failure(error(.adminShutdown))])
        let failures = machine.failAll(PostgresError(.connectionLost, "gone"))
        #expect(failures.map(\.0) == [1, 2, 3, 4])
        #expect(failures.map(\.1.wasSent) == [true, true, false, false])
        #expect(failures.map(\.1.sqlState) == [.adminShutdown, nil, nil, nil])
        #expect(failures.allSatisfy { $0.1.kind == .connectionLost && $0.1.query == "SELECT 1" })
        #expect(machine.failAll(PostgresError(.connectionLost, "gone")).isEmpty)
    }

    @Test func `the least recently used statement makes room`() {
        var machine = Machine(statementCapacity: 1)
        _ = start(&machine, 1, "SELECT 1")
        receive(&machine, prepared + [.result("a"), .end, .sync(.idle)])
        _ = start(&machine, 2, "SELECT 2")
        guard case .deallocate("s1") = machine.nextTransmission() else { return #expect(Bool(false)) }
        receive(&machine, prepared + [.result("b"), .end, .sync(.failed)])
        // In a failed transaction nothing is deallocated.
        receive(&machine, [.failure(error(.inFailedTransaction)), .end, .sync(.failed)])
        guard case nil = machine.nextTransmission() else { return #expect(Bool(false)) }
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func `nonsense is noticed and never traps`(seed: UInt64) {
        var generator = RandomSource(seed: seed)
        var machine = Machine()
        for id: CommandID in 1...3 { _ = start(&machine, id) }
        var outcomes: [String] = []
        for _ in 0..<100 {
            let answer: PipelineAnswer<String> =
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: .result("x")
                case 1: .failure(error(.syntaxError))
                case 2: .skipped
                case 3: .end
                case 4: .sync(.idle)
                default: .copy
                }
            outcomes += receive(&machine, [answer])
        }
        #expect(outcomes.contains("out of step"))
    }

    @Test func `a missing sync does not turn into an endless loop`() {
        var machine = Machine()
        _ = start(&machine, 1)
        let outcomes = receive(&machine, prepared + [.result("a")] + Array(repeating: .end, count: 10))
        #expect(outcomes.contains("out of step"))
    }
}
