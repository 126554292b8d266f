import EventLog
import FoundationEssentials

// Rules 3, 4, 6 and 7: the outcomes of commands.
extension HistoryChecker {
    mutating func checkCommands() {
        for (id, sendings) in Dictionary(grouping: history.sendings, by: \.command) {
            guard let command = history.commands[id] else { continue }
            let found = appended[id] ?? []
            if found.count > 1 { report(3, "command \(id) is in the log \(found.count) times") }
            for sending in sendings { checkAcknowledgement(sending, of: command, found.first) }
            guard let found = found.first else { continue }
            checkPermission(id, sendings, found)
            if found.first.version != command.expectedVersion + 1 {
                report(
                    7, "command \(id) expected version \(command.expectedVersion), but became \(found.first.version)")
            }
        }
    }

    private mutating func checkAcknowledgement(
        _ sending: History.Sending, of command: History.Command, _ found: Appended?
    ) {
        guard case .acknowledged(let position, let version) = sending.answer else { return }
        guard let found else { return report(3, "command \(command.id) was acknowledged, but is lost") }
        let last = found.last
        if last.position != position ?? last.position || last.version != version || last.stream != command.stream {
            report(
                3,
                "command \(command.id) was told position \(position ?? 0), version \(version), but is at "
                    + "\(last.position), \(last.version)")
        }
        if found.events.count != command.events.count {
            report(
                3,
                "command \(command.id) sent \(command.events.count) events, but \(found.events.count) are in the log")
        }
    }

    /// Whether some sending allows that the command is in the log, and since when.
    private mutating func checkPermission(_ id: UUID, _ sendings: [History.Sending], _ found: Appended) {
        if sendings.contains(where: { $0.answer == .conflict || $0.answer == .rejected }) {
            report(4, "command \(id) was rejected, but is in the log")
        }
        guard let first = sendings.filter(\.answer.mayHaveAppended).map(\.sent).min() else {
            return report(4, "command \(id) was never sent, but is in the log")
        }
        guard let clocks = history.clocks else { return }
        let earliest = clocks.wall + (clocks.monotonic.duration(to: first) - Self.clockError) / .seconds(1)
        if found.first.recordedAt < earliest {
            report(4, "command \(id) was recorded before any sending that may have reached the log")
        }
    }

    /// The wall clock is adjusted now and then, the monotonic one is not.
    private static let clockError: Duration = .milliseconds(200)

    /// Sweeps over times, keeping the highest position acknowledged so far.
    mutating func checkRealTime() {
        var firstSent: [UUID: ContinuousClock.Instant] = [:]
        for sending in history.sendings {
            firstSent[sending.command] = min(sending.sent, firstSent[sending.command] ?? sending.sent)
        }
        let answers = history.sendings.filter(\.answer.isAcknowledgement).sorted { $0.answered < $1.answered }
        let starts = firstSent.sorted { $0.value < $1.value }
        var next = 0
        var highest: (position: Int64, command: UUID)?
        for (command, sent) in starts {
            while next < answers.count, answers[next].answered < sent {
                let answered = answers[next].command
                if let position = appended[answered]?.first?.last.position, position > highest?.position ?? 0 {
                    highest = (position, answered)
                }
                next += 1
            }
            guard let highest, let own = appended[command]?.first?.first.position, own < highest.position else {
                continue
            }
            report(
                6, "command \(command) at \(own) was sent after \(highest.command) at \(highest.position) was answered")
        }
    }

    /// A conflict needs a version above the expected one, of a command that was sent before the conflict was reported.
    mutating func checkConflicts() {
        let conflicts = history.sendings.filter { $0.answer == .conflict }
        if conflicts.isEmpty { return }
        let firstSent = Dictionary(history.sendings.map { ($0.command, $0.sent) }, uniquingKeysWith: min)
        let moves = Dictionary(grouping: appended.values.joined(), by: \.first.stream)
        for sending in conflicts {
            guard let command = history.commands[sending.command] else { continue }
            let isReal = (moves[command.stream] ?? []).contains { rival in
                rival.last.version > command.expectedVersion && rival.first.command != command.id
                    && rival.first.command.flatMap { firstSent[$0] } ?? sending.sent <= sending.answered
            }
            if isReal { continue }
            report(
                7,
                "command \(command.id) was told of a conflict, but stream \(command.stream) was at "
                    + "\(command.expectedVersion)")
        }
    }
}
