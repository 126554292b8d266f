import DequeModule

// Work that has the connection for itself: scripts and COPY. Everything here runs on the connection's event loop.
extension PostgresConnection {
    func beginExclusive(_ id: CommandID) {
        guard let session = exclusivesWaiting.removeValue(forKey: id) else {
            return finish(PostgresError(.protocolViolation, "exclusive work has vanished"))
        }
        exclusive = session
        guard handle.sendSimple(session.text) else {
            return finish(PostgresError(.connectionLost, handle.errorMessage))
        }
    }

    /// Does what can be done now: takes answers, moves data either way.
    func advanceExclusive() {
        while let session = exclusive, end == nil {
            if session.machine.isCopying {
                guard moveData() else { return }
            } else {
                guard isReadyForAnswer(session), !handle.isBusy else { return }
                receiveExclusive(handle.nextSimpleAnswer())
            }
        }
    }

    /// After a COPY's last chunk its results stay unread until the consumer asks again.
    private func isReadyForAnswer(_ session: ExclusiveSession) -> Bool {
        session.machine.purpose != .copyOut || session.starter != nil || session.demand.isReading
    }

    private func receiveExclusive(_ answer: SimpleAnswer) {
        guard let outcome = exclusive?.machine.receive(answer) else { return }
        switch outcome {
        case .more: break
        case .began:
            exclusive?.starter?.begin()
            exclusive?.starter = nil
            endIfOrphan()
        case .finished(let result): endExclusive(result)
        case .outOfStep(let reason): finishBroken(reason)
        }
    }

    private func endIfOrphan() {
        guard let session = exclusive, session.isOrphan else { return }
        switch session.machine.purpose {
        case .script: break
        case .copyOut: exclusive?.demand.abandon()
        case .copyIn: exclusive?.requestedEnd = .some("the task was cancelled")
        }
    }

    private func endExclusive(_ result: Result<Int, PostgresError>) {
        guard var session = exclusive else { return }
        exclusive = nil
        guard handle.enterPipelineMode() else {
            session.fail(PostgresError(.connectionLost, handle.errorMessage))
            return finish(PostgresError(.connectionLost, handle.errorMessage))
        }
        machine.endExclusive()
        mailbox.commandsCompleted(1)
        switch result {
        case .failure(let error): session.fail(error.attributed(query: session.text, caller: nil))
        case .success(let rows):
            if case .script(_, let continuation) = session.starter { continuation.resume(returning: .success(rows)) }
            session.starter = nil
            session.consumer?.resume(returning: .success(nil))
            session.consumer = nil
            session.finisher?.resume(returning: .success(rows))
            session.finisher = nil
            session.fail(PostgresError(.closed, "the COPY has ended"))
        }
        sendCommands()
    }

    func failExclusive(_ error: PostgresError) {
        guard var session = exclusive else { return }
        exclusive = nil
        mailbox.commandsCompleted(1)
        session.fail(error.attributed(query: session.text, caller: nil))
    }

    func cancelExclusive(_ id: CommandID) {
        guard var session = exclusive, session.id == id else { return }
        // A waiter for the beginning or the end will not come back to end a COPY; a writer will.
        session.isOrphan = session.isOrphan || session.starter != nil
        if session.machine.purpose == .copyOut { session.demand.abandon() }
        session.fail(PostgresError(.cancelled, "the task was cancelled"))
        exclusive = session
    }

    /// False when there is nothing to be done until the socket or a task says more.
    private func moveData() -> Bool {
        exclusive?.machine.purpose == .copyOut ? readCopyData() : writeCopyData()
    }

    // MARK: COPY out

    func demand(_ id: CommandID, _ continuation: ChunkContinuation) {
        guard exclusive?.id == id, exclusive?.demand.isAbandoned == false else {
            return continuation.resume(returning: .failure(PostgresError(.closed, "the COPY has ended")))
        }
        exclusive?.consumer = continuation
        exclusive?.demand.demand()
    }

    func abandonCopyOut(_ id: CommandID) {
        guard exclusive?.id == id else { return }
        exclusive?.demand.abandon()
    }

    private func readCopyData() -> Bool {
        guard var session = exclusive, session.demand.isReading else { return false }
        exclusive = nil  // so that its buffer is appended to in place
        defer { exclusive = session }
        switch nextCopyData(into: &session.gathered) {
        case .bytes:
            guard session.demand.isAbandoned else { return !session.deliver(more: true) }
            session.discarded += session.gathered.count
            session.gathered.removeAll()
            guard session.discarded > 1 << 20 else { return true }
            // Other connections use this loop, such as the one that sends the cancellation.
            session.discarded = 0
            loop.execute(after: .zero) { [weak self] in self?.assumeIsolated { $0.advance() } }
            return false
        case .notYet:
            _ = session.deliver(more: false)
            return false
        case .end, .failed:
            session.machine.endData()
            _ = session.deliver(more: false)
            return true
        }
    }

    /// Looks at the socket before it says that there is nothing: while the consumer was away the socket was not read.
    private func nextCopyData(into buffer: inout [UInt8]) -> LibPQHandle.CopyOutData {
        let data = handle.readCopyData(into: &buffer)
        guard data == .notYet, handle.consumeInput() else { return data }
        return handle.readCopyData(into: &buffer)
    }

    // MARK: COPY in

    func write(_ id: CommandID, _ bytes: [UInt8], _ continuation: DoneContinuation) {
        guard exclusive?.id == id, exclusive?.requestedEnd == nil else {
            return continuation.resume(returning: .failure(PostgresError(.closed, "the COPY has ended")))
        }
        guard !bytes.isEmpty else { return continuation.resume(returning: .success(())) }
        exclusive?.writes.append(ExclusiveSession.Write(remaining: bytes[...], continuation: continuation))
    }

    func endCopyIn(_ id: CommandID, _ failure: String?, _ continuation: RowsContinuation) {
        guard exclusive?.id == id, exclusive?.requestedEnd == nil else {
            return continuation.resume(returning: .failure(PostgresError(.closed, "the COPY has ended")))
        }
        exclusive?.requestedEnd = .some(failure)
        exclusive?.finisher = continuation
    }

    /// Bytes handed to libpq at once.
    private static var pieceSize: Int { 1 << 16 }

    private func writeCopyData() -> Bool {
        // libpq's buffer grows without bound, so it must be empty before it gets the next piece.
        guard let isFlushed = handle.flush() else {
            finish(PostgresError(.connectionLost, handle.errorMessage))
            return false
        }
        // Said even if the socket should have room again a moment later: nothing else would bring us back here.
        exclusive?.waitsForRoom = !isFlushed
        guard isFlushed else { return false }
        if let remaining = exclusive?.writes.first?.remaining {
            return put(handle.putCopyData(remaining.prefix(Self.pieceSize))) { $0.dropWritten(Self.pieceSize) }
        }
        guard let failure = exclusive?.requestedEnd else { return false }
        return put(handle.putCopyEnd(failure: failure)) { $0.machine.endData() }
    }

    private func put(_ outcome: Bool?, _ taken: (inout ExclusiveSession) -> Void) -> Bool {
        switch outcome {
        case true?:
            if var session = exclusive {
                taken(&session)
                exclusive = session
            }
            return true
        case false?:
            exclusive?.waitsForRoom = true
            return false
        case nil:
            finish(PostgresError(.connectionLost, handle.errorMessage))
            return false
        }
    }

    /// All that was written has left: the writers may go on.
    func exclusiveIsFlushed() {
        guard let written = exclusive?.written, !written.isEmpty else { return }
        exclusive?.written = []
        for continuation in written { continuation.resume(returning: .success(())) }
    }
}

extension ExclusiveSession {
    /// Hands what is gathered to the consumer, if it is time. True when it was.
    fileprivate mutating func deliver(more: Bool) -> Bool {
        guard let consumer, demand.shouldDeliver(gathered: gathered.count, more: more) else { return false }
        self.consumer = nil
        consumer.resume(returning: .success(gathered))
        gathered = []
        return true
    }

    /// libpq has taken that much of the first write.
    fileprivate mutating func dropWritten(_ count: Int) {
        guard !writes.isEmpty else { return }
        writes[0].remaining = writes[0].remaining.dropFirst(count)
        if writes[0].remaining.isEmpty { written.append(writes.removeFirst().continuation) }
    }
}
