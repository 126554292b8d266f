import EventLog
import FoundationEssentials
import TestRandom
import TestSupport

/// A client of the log itself, through an appender that competes with those of the services.
struct LogWriter: Sendable {
    /// Longest time until an outcome is known, stops of the server included.
    private static let timeout: Duration = .seconds(60)

    private let appender: Appender
    private let accounts: [UUID]
    private let board: Board
    private let recorder: Recorder
    private var random: RandomSource

    init(_ appender: Appender, accounts: [UUID], board: Board, recorder: Recorder, random: RandomSource) {
        self.appender = appender
        self.accounts = accounts
        self.board = board
        self.recorder = recorder
        self.random = random
    }

    /// Works until the stop sign; completes every command that has begun.
    /// - Throws: an error in making a command.
    mutating func run(until stop: StopSign) async throws {
        while !stop.isRaised, !Task.isCancelled {
            if random.isTrue(oneIn: 2), let entry = board.pick(&random) {
                try await correct(entry)
            } else {
                try await begin()
            }
            try? await Task.sleep(for: .milliseconds(random.int(in: 0...15)))
        }
    }

    private mutating func begin() async throws {
        let account = random.element(of: accounts)
        let command = try DirectSighting.begin(by: account, events: random.int(in: 1...4), &random)
        let outcome = await deliver(command)
        if case .acknowledged(_, let version) = outcome, random.isTrue(oneIn: 4) {
            board.add(Board.Entry(stream: command.stream, account: account, version: version), &random)
        }
    }

    /// Once in a while it sends a command twice at the same time, as an impatient client does.
    private mutating func correct(_ entry: Board.Entry) async throws {
        let command = try DirectSighting.correct(entry, events: random.int(in: 1...3), &random)
        if random.isTrue(oneIn: 5) {
            var twin = self
            twin.random = RandomSource(seed: random.next())
            async let second = twin.deliver(command)
            _ = await deliver(command)
            _ = await second
        } else {
            _ = await deliver(command)
        }
    }

    /// Sends until the outcome is known; now and then once more, as a client does that lost the answer.
    private mutating func deliver(_ command: AppendCommand) async -> History.Sending.Answer {
        let tracked = History.Command(command)
        let deadline = ContinuousClock.now + Self.timeout
        while true {
            let sent = ContinuousClock.now
            let (answer, isFinal) = await send(command)
            recorder.sent(tracked, at: sent, answered: .now, answer)
            if Task.isCancelled || isFinal && !random.isTrue(oneIn: 8) { return answer }
            if ContinuousClock.now > deadline {
                recorder.complain("command \(command.id) was not answered within \(Self.timeout)")
                return answer
            }
            try? await Task.sleep(for: .milliseconds(random.int(in: 10...100)))
        }
    }

    private func send(_ command: AppendCommand) async -> (History.Sending.Answer, isFinal: Bool) {
        do throws(AppendError) {
            let receipt = try await appender.append(command)
            board.learned(command.stream, version: receipt.version)
            return (.acknowledged(position: receipt.position, version: receipt.version), true)
        } catch {
            switch error {
            case .conflict(let version):
                board.learned(command.stream, version: version)
                return (.conflict, true)
            case .unknownOutcome: return (.unknown, false)
            case .queueFull, .unavailable, .closed: return (.unsent, false)
            case .differentRequest, .reserved, .malformed, .rejected, .actorErased, .clockRejected, .epochChanged:
                recorder.complain("command \(command.id) was rejected: \(String(reflecting: error))")
                return (.rejected, true)
            }
        }
    }
}
