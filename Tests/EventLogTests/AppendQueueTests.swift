import EventLog
import FoundationEssentials
import Testing

struct AppendQueueTests {
    private func command(_ id: UUID = UUID(), stream: UUID = UUID(), fingerprint: UInt8 = 1) -> AppendCommand {
        AppendCommand(
            stream: stream, kind: "sighting", expectedVersion: 0, id: id,
            fingerprint: Array(repeating: fingerprint, count: 16), actor: nil,
            events: [AppendCommand.Event(type: "SightingSubmitted", payload: "{}")])
    }

    private func queue(batch: Int = 300, queued: Int = 10_000) -> AppendQueue<UInt64> {
        AppendQueue<UInt64>(limits: AppendLimits { ($0.batchCommands, $0.queuedCommands) = (batch, queued) })
    }

    @Test func `while a batch is in flight commands gather, and go together when it returns`() {
        var queue = queue()
        _ = queue.admit(command(), 1)
        #expect(queue.nextBatch()?.count == 1)
        for waiter in 2...4 { _ = queue.admit(command(), UInt64(waiter)) }
        #expect(queue.nextBatch() == nil)
        #expect(queue.complete() == [[1]])
        #expect(queue.nextBatch()?.count == 3)
        #expect(queue.complete() == [[2], [3], [4]])
        #expect(queue.nextBatch() == nil)
        #expect(queue.depth == 0)
    }

    @Test func `an overdue command is removed, or only its waiters if it may be in the log`() {
        var queue = queue(batch: 1)
        let start = ContinuousClock.now
        let commands = (0..<4).map { _ in command() }
        for (waiter, command) in commands.enumerated() {
            _ = queue.admit(command, UInt64(waiter), at: start + .seconds(waiter))
        }
        _ = queue.nextBatch()
        queue.sendAgain(isUncertain: true)
        let early = queue.expire(before: start)
        #expect(early.absent.isEmpty && early.unknown.isEmpty)
        let late = queue.expire(before: start + .seconds(3))
        #expect(Set(late.absent) == [1, 2] && late.unknown == [0])
        #expect(queue.depth == 2)
        #expect(queue.nextBatch()?.map(\.id) == [commands[0].id])
        #expect(queue.admit(commands[0], 9, at: start + .seconds(9)) == .joined)
        #expect(queue.expire(before: start + .seconds(9)).unknown.isEmpty)
        #expect(queue.complete() == [[9]])
        #expect(queue.nextBatch() == nil)
        #expect(queue.depth == 0)
    }

    @Test func `a rejected batch that is to be sent again goes without its overdue commands`() {
        var queue = queue(batch: 2)
        let start = ContinuousClock.now
        let commands = [command(), command()]
        for (waiter, command) in commands.enumerated() {
            _ = queue.admit(command, UInt64(waiter), at: start + .seconds(waiter))
        }
        _ = queue.nextBatch()
        queue.sendAgain(isUncertain: false)
        #expect(queue.expire(before: start + .seconds(1)).absent == [0])
        #expect(queue.nextBatch()?.map(\.id) == [commands[1].id])
        #expect(queue.complete() == [[1]])
    }

    @Test func `a queue is full by its bytes too; answered commands make room`() {
        let size = command().byteCount
        var queue = AppendQueue<UInt64>(limits: AppendLimits { $0.queuedBytes = size * 2 })
        #expect(queue.admit(command(), 1) == .queued)
        #expect(queue.admit(command(), 2) == .queued)
        #expect(queue.admit(command(), 3) == .full)
        _ = queue.nextBatch()
        _ = queue.complete()
        #expect(queue.admit(command(), 4) == .queued)
    }

    @Test func `two commands on one stream go in two batches, in order, and others pass between`() {
        var queue = queue()
        let stream = UUID()
        let (first, second, third, other) = (
            command(stream: stream), command(stream: stream), command(stream: stream), command()
        )
        for (waiter, command) in [first, second, third, other].enumerated() {
            _ = queue.admit(command, UInt64(waiter))
        }
        #expect(queue.nextBatch()?.map(\.id) == [first.id, other.id])
        _ = queue.complete()
        #expect(queue.nextBatch()?.map(\.id) == [second.id])
        _ = queue.complete()
        #expect(queue.nextBatch()?.map(\.id) == [third.id])
    }

    @Test func `past the commands of one stream it looks only so far`() {
        var queue = queue(batch: 2)
        let stream = UUID()
        let commands = (0..<4).map { _ in command(stream: stream) } + [command()]
        for (waiter, command) in commands.enumerated() { _ = queue.admit(command, UInt64(waiter)) }
        var batches: [[Int]] = []
        while let batch = queue.nextBatch() {
            batches.append(batch.map { sent in commands.firstIndex { $0.id == sent.id } ?? -1 })
            _ = queue.complete()
        }
        #expect(batches == [[0], [1], [2, 4], [3]])
    }

    @Test func `two commands that reserve the same go in two batches`() {
        var queue = queue()
        var (first, second) = (command(), command())
        first.reservations = [AppendCommand.Reservation(kind: "email", digest: [1])]
        second.reservations = first.reservations
        _ = queue.admit(first, 1)
        _ = queue.admit(second, 2)
        #expect(queue.nextBatch()?.map(\.id) == [first.id])
        _ = queue.complete()
        #expect(queue.nextBatch()?.map(\.id) == [second.id])
    }

    @Test func `the same command sent again joins, queued or in flight; another request under its id follows`() {
        var queue = queue()
        let id = UUID()
        let original = command(id)
        #expect(queue.admit(original, 1) == .queued)
        #expect(queue.admit(original, 2) == .joined)
        _ = queue.nextBatch()
        #expect(queue.admit(original, 3) == .joined)
        #expect(queue.admit(command(id, stream: original.stream, fingerprint: 2), 4) == .follows)
        #expect(queue.follow(id, 5) && !queue.follow(UUID(), 6))
        #expect(queue.complete() == [[1, 2, 3, 4, 5]])
        #expect(queue.admit(original, 5) == .queued)
    }

    @Test func `a full queue turns away, and takes again when there is room`() {
        var queue = queue(queued: 2)
        #expect(queue.admit(command(), 1) == .queued)
        #expect(queue.admit(command(), 2) == .queued)
        #expect(queue.admit(command(), 3) == .full)
        _ = queue.nextBatch()
        #expect(queue.admit(command(), 4) == .full)
        _ = queue.complete()
        #expect(queue.admit(command(), 5) == .queued)
    }

    @Test(arguments: [0, 137, 299])
    func `a rejected batch is halved until the culprit stands alone; everyone else is appended once`(index: Int) throws
    {
        var queue = queue()
        let commands = (0..<300).map { _ in command() }
        for (waiter, command) in commands.enumerated() { _ = queue.admit(command, UInt64(waiter)) }
        var appended: [UUID] = []
        var culprits: [UInt64] = []
        var calls = 0
        while let batch = queue.nextBatch() {
            calls += 1
            if batch.contains(where: { $0.id == commands[index].id }) {
                culprits += queue.refuse() ?? []
            } else {
                appended += batch.map(\.id)
                _ = queue.complete()
            }
        }
        #expect(culprits == [UInt64(index)])
        #expect(appended == commands.map(\.id).filter { $0 != commands[index].id })
        #expect(calls <= 20)
    }

    @Test func `after a lost connection the same batch goes again, before anything newer`() {
        var queue = queue(batch: 2)
        let commands = (0..<3).map { _ in command() }
        for (waiter, command) in commands.enumerated() { _ = queue.admit(command, UInt64(waiter)) }
        let sent = queue.nextBatch()?.map(\.id)
        queue.sendAgain(isUncertain: true)
        #expect(queue.nextBatch()?.map(\.id) == sent)
        #expect(queue.complete() == [[0], [1]])
        #expect(queue.nextBatch()?.map(\.id) == [commands[2].id])
    }

    @Test func `giving up separates what is not in the log from what may be`() {
        var queue = queue(batch: 1)
        _ = queue.admit(command(), 1)
        _ = queue.admit(command(), 2)
        _ = queue.nextBatch()
        queue.sendAgain(isUncertain: true)
        let (absent, unknown) = queue.abandon()
        #expect(absent == [2])
        #expect(unknown == [1])
        #expect(queue.depth == 0)
    }

    @Test func `a rejected batch separates them too, and newer commands stay`() {
        var queue = queue(batch: 2)
        for waiter in 1...3 { _ = queue.admit(command(), UInt64(waiter)) }
        _ = queue.nextBatch()
        #expect(queue.reject() == (absent: [1, 2], unknown: []))
        _ = queue.nextBatch()
        queue.sendAgain(isUncertain: true)
        _ = queue.nextBatch()
        #expect(queue.reject() == (absent: [], unknown: [3]))
        #expect(queue.depth == 0)
    }

    @Test func `what the database has rejected is not in the log, unless an earlier answer was lost`() {
        for isUncertain in [false, true] {
            var queue = queue()
            _ = queue.admit(command(), 1)
            _ = queue.nextBatch()
            queue.sendAgain(isUncertain: isUncertain)
            _ = queue.nextBatch()
            queue.sendAgain(isUncertain: false)
            let (absent, unknown) = queue.abandon()
            #expect(absent == (isUncertain ? [] : [1]))
            #expect(unknown == (isUncertain ? [1] : []))
        }
    }

    @Test func `a batch that takes too long goes in halves, down to single commands`() {
        var queue = queue()
        for waiter in 0..<5 { _ = queue.admit(command(), UInt64(waiter)) }
        var sizes: [Int] = []
        while let batch = queue.nextBatch() {
            sizes.append(batch.count)
            if batch.count > 1 { queue.halve() } else { _ = queue.complete() }
        }
        #expect(sizes == [5, 2, 1, 1, 3, 1, 2, 1, 1])
        _ = queue.admit(command(), 9)
        _ = queue.nextBatch()
        queue.halve()
        #expect(queue.nextBatch()?.count == 1)
    }
}
