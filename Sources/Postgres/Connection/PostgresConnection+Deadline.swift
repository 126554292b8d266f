import NIOCore

// Deadlines. Everything here runs on the connection's event loop.
extension PostgresConnection {
    /// Wakes up at `due` at the latest. Each connection has one timer: a statement costs nothing while an earlier one
    /// is due.
    func watch(_ due: ContinuousClock.Instant?) {
        guard let due, end == nil, timer.map({ due < $0.due }) ?? true else { return }
        timer?.task.cancel()
        let task = loop.schedule(at: due) { [weak self] in
            self?.assumeIsolated { $0.timeHasCome() }
        }
        timer = (due, task)
    }

    private func timeHasCome() {
        timer = nil
        // The delay may be in this process: an answer that has arrived meanwhile counts.
        if isOverdue { socketIsReadable() }
        guard end == nil else { return }
        if isOverdue {
            return finish(PostgresError(.timeout, "the server did not answer in time; the connection is closed"))
        }
        rejectUnsent()
        advance()
        watch(machine.nextDeadline)
    }

    private var isOverdue: Bool {
        let now = ContinuousClock.now
        return machine.isOverdue(at: now) || exclusive?.answerBy.map { $0 <= now } ?? false
    }

    private func rejectUnsent() {
        for command in machine.expire(at: .now) {
            let error = PostgresError(
                .poolTimeout, "the statement waited too long to be sent", query: command.text, caller: command.caller,
                wasSent: false)
            if !failWaitingExclusive(command.id, error) { answer(command.id, .failure(error)) }
        }
    }

    /// Under TLS, data may be left in OpenSSL's buffer while the socket is idle; check once a second while waiting.
    func scheduleWatchdog() {
        loop.execute(after: .seconds(1)) { [weak self] in
            self?.assumeIsolated { connection in
                guard connection.end == nil else { return }
                if connection.machine.expectsAnswers { connection.socketIsReadable() }
                connection.scheduleWatchdog()
            }
        }
    }
}
