import Logging
import NIOCore

// Events come in, what follows from them goes out. Everything here runs on the connection's event loop.
extension PostgresConnection {
    func readMailbox() {
        for message in mailbox.takeAll() { receive(message) }
        advance()
    }

    func socketIsReadable() {
        guard end == nil else { return }
        // A TLS record holds up to 16 KiB and libpq reads at least 8: what OpenSSL keeps back would not wake the
        // socket. After a hang-up nothing wakes us again.
        let isHungUp = watcher?.isHungUp ?? false
        var rounds = usesTLS ? 3 : 1
        while rounds > 0 || isHungUp {
            guard readSocket() else { return }
            rounds -= 1
        }
        advance()
    }

    /// Reads once and takes the answers. Once libpq has seen the end of the stream it forgets what it was asked, so
    /// everything it has read must be taken before it reads on. False: the connection has ended.
    private func readSocket() -> Bool {
        let isAlive = handle.consumeInput()
        let loss = isAlive ? nil : handle.errorMessage
        receiveAnswers()
        if let loss { finishBroken(loss) }
        return end == nil
    }

    func socketIsWritable() {
        advance()
    }

    /// Sends what may be sent and sets what to wait for.
    func advance() {
        guard end == nil else { return }
        sendCommands()
        if machine.isExclusive { advanceExclusive() }
        guard end == nil else { return }
        if handle.isBroken { return finishBroken(handle.errorMessage) }
        guard let isFlushed = handle.flush() else {
            return finish(PostgresError(.connectionLost, handle.errorMessage))
        }
        let isExclusive = machine.isExclusive
        if isExclusive, isFlushed { exclusiveIsFlushed() }
        // While there is something to write we read as well, or server and client could wait for each other for ever.
        watcher?.watchWriting(!isFlushed || (isExclusive && exclusive?.waitsForRoom == true))
        watcher?.watchReading(!isExclusive || exclusive?.isReading == true)
        if machine.isIdle { resumeIdleWaiters(true) }
        if isExclusive {
            exclusive?.updateDeadline()
            watch(exclusive?.answerBy)
        }
    }

    func sendCommands() {
        while let transmission = machine.nextTransmission() {
            guard handle.send(transmission) else {
                return finish(PostgresError(.connectionLost, handle.errorMessage))
            }
            if case .beginExclusive(let id) = transmission { beginExclusive(id) }
        }
    }

    private func receiveAnswers() {
        if machine.isExclusive {
            advanceExclusive()
        } else {
            receivePipelined()
        }
        guard end == nil else { return }
        while let notification = handle.nextNotification() { deliver(notification) }
    }

    private func receivePipelined() {
        while machine.expectsAnswers, !handle.isBusy {
            switch machine.receive(handle.nextAnswer()) {
            case nil, .retried: break
            case .succeeded(let id, let result): answer(id, .success(result))
            case .failed(let id, let error): answer(id, .failure(error))
            case .outOfStep(let reason): return finishBroken(reason)
            }
        }
    }

    /// Ends a connection that libpq says is lost, or else has gone out of step.
    func finishBroken(_ reason: String) {
        finish(PostgresError(handle.isBroken ? .connectionLost : .protocolViolation, reason))
    }

    func answer(_ id: CommandID, _ result: Result<PostgresResult, PostgresError>) {
        mailbox.commandsCompleted(1)
        queries.removeValue(forKey: id)?.resume(returning: result)
    }

    // MARK: The mailbox

    private func receive(_ message: Message) {
        if let end { return refuse(message, end) }
        switch message {
        case .query(let command, let continuation):
            queries[command.id] = continuation
            submit(command)
        case .exclusive(let command, let work):
            exclusivesWaiting[command.id] = ExclusiveSession(command, work)
            submit(command)
        case .cancel(let id): cancel(id)
        case .copyOutDemand(let id, let continuation): demand(id, continuation)
        case .copyOutAbandon(let id): abandonCopyOut(id)
        case .copyInWrite(let id, let bytes, let continuation): write(id, bytes, continuation)
        case .copyInEnd(let id, let failure, let continuation): endCopyIn(id, failure, continuation)
        case .listen(let channel, let id, let continuation):
            listeners[id] = Listener(channel: channel, continuation: continuation)
        case .unlisten(let id): removeListener(id)
        case .whenIdle(let id, let continuation): idleWaiters[id] = continuation
        case .whenClosed(let id, let continuation): closeWaiters[id] = continuation
        case .stopWaiting(let id): stopWaiting(id)
        case .close: finish(PostgresError(.closed, "the connection was closed"))
        }
    }

    private func submit(_ command: PipelineCommand) {
        machine.submit(command)
        watch(command.limit?.sendBy)
    }

    /// Answers a message to a connection that has ended.
    private func refuse(_ message: Message, _ end: PostgresError) {
        let error = end.neverSent()
        if message.isCommand { mailbox.commandsCompleted(1) }
        switch message {
        case .query(let command, let continuation):
            continuation.resume(returning: .failure(error.attributed(query: command.text, caller: command.caller)))
        case .exclusive(let command, let work):
            work.fail(error.attributed(query: work.text, caller: command.caller))
        case .copyOutDemand(_, let continuation): continuation.resume(returning: .failure(end))
        case .copyInWrite(_, _, let continuation): continuation.resume(returning: .failure(end))
        case .copyInEnd(_, _, let continuation): continuation.resume(returning: .failure(end))
        case .listen(_, _, let continuation): continuation.finish(throwing: end)
        case .whenIdle(_, let continuation): continuation.resume(returning: true)
        case .whenClosed(_, let continuation): continuation.resume()
        case .cancel, .copyOutAbandon, .unlisten, .stopWaiting, .close: break
        }
    }

    private func cancel(_ id: CommandID) {
        if let continuation = queries.removeValue(forKey: id) {
            let neverSent = machine.cancel(id)
            if neverSent { mailbox.commandsCompleted(1) }
            continuation.resume(
                returning: .failure(PostgresError(.cancelled, "the task was cancelled", wasSent: !neverSent)))
        } else if machine.cancel(id) {
            failWaitingExclusive(id, PostgresError(.cancelled, "the task was cancelled", wasSent: false))
        } else {
            cancelExclusive(id)
        }
    }

    private func stopWaiting(_ id: WaiterID) {
        idleWaiters.removeValue(forKey: id)?.resume(returning: false)
        closeWaiters.removeValue(forKey: id)?.resume()
    }

    // MARK: The end

    /// Ends the connection; everyone who waits is told, each exactly once.
    func finish(_ error: PostgresError) {
        guard end == nil else { return }
        end = error
        mailbox.close()
        timer?.task.cancel()
        timer = nil
        watcher?.cancel()
        watcher = nil
        handle.finish()
        for (id, failure) in machine.failAll(error) {
            if !failWaitingExclusive(id, failure) { answer(id, .failure(failure)) }
        }
        failExclusive(error)
        for listener in listeners.values { listener.continuation.finish(throwing: error) }
        listeners = [:]
        resumeIdleWaiters(true)
        for waiter in closeWaiters.values { waiter.resume() }
        closeWaiters = [:]
        if error.kind != .closed {
            logger.debug("a database connection has ended", metadata: ["error": "\(error.debugDescription)"])
        }
    }

    /// False when it is not exclusive work, or is not waiting.
    @discardableResult
    func failWaitingExclusive(_ id: CommandID, _ error: PostgresError) -> Bool {
        guard var session = exclusivesWaiting.removeValue(forKey: id) else { return false }
        mailbox.commandsCompleted(1)
        session.fail(error.attributed(query: session.text, caller: nil))
        return true
    }

    private func resumeIdleWaiters(_ isIdle: Bool) {
        guard !idleWaiters.isEmpty else { return }
        let waiters = idleWaiters.values
        idleWaiters = [:]
        for waiter in waiters { waiter.resume(returning: isIdle) }
    }
}
