import EventLog
import FoundationEssentials
import Postgres
import TestSupport
import Testing

struct AppendTests {
    @Test func `positions are dense across streams, versions within one`() async throws {
        try await LogFixture.run { log in
            let stream = UUID()
            let first = try await log.appender.append(.sample(stream: stream, payloads: ["{}", "{}"]))
            let other = try await log.appender.append(.sample())
            let second = try await log.appender.append(.sample(stream: stream, expected: 2))
            #expect([first.position, other.position, second.position] == [2, 3, 4])
            #expect([first.version, other.version, second.version] == [2, 1, 3])
            let events = try await log.reader.page(after: 0, limit: 10)
            #expect(events.map(\.position) == [1, 2, 3, 4])
            #expect(try await log.reader.stream(stream).map(\.version) == [1, 2, 3])
            #expect(Set(events.map(\.nonce)).count == 4)
        }
    }

    @Test func `the same command again finds the first outcome, whatever came after`() async throws {
        try await LogFixture.run { log in
            let stream = UUID()
            let (begin, change) = (
                AppendCommand.sample(stream: stream, payloads: ["{}", "{}"]),
                AppendCommand.sample(stream: stream, expected: 2)
            )
            let first = try await log.appender.append(begin)
            let second = try await log.appender.append(change)
            _ = try await log.appender.append(.sample(stream: stream, expected: 3))
            for (command, receipt) in [(begin, first), (change, second)] {
                let again = try await log.appender.append(command)
                #expect(again.isRepeat)
                #expect(again.position == receipt.position && again.version == receipt.version)
                #expect(again.recordedAt == receipt.recordedAt)
            }
            #expect(try await log.reader.origin().position == 4)
        }
    }

    @Test func `a used command id with another fingerprint is another request`() async throws {
        try await LogFixture.run { log in
            let command = AppendCommand.sample()
            _ = try await log.appender.append(command)
            var other = command
            other.fingerprint = Array(repeating: 9, count: 16)
            await #expect(throws: AppendError.self) { try await log.appender.append(other) }
            #expect(try await log.reader.origin().position == 1)
        }
    }

    @Test func `the same command at once, from two processes, is appended once`() async throws {
        try await LogFixture.run { log in
            try await log.withRival { rival in
                for _ in 0..<50 {
                    let command = AppendCommand.sample()
                    async let one = log.appender.append(command)
                    async let two = rival.append(command)
                    async let three = log.appender.append(command)
                    let positions = try await Set([one.position, two.position, three.position])
                    #expect(positions.count == 1)
                }
            }
            #expect(try await log.reader.origin().position == 50)
        }
    }

    @Test func `of rivals expecting the same version one wins, and the others are told the version`() async throws {
        try await LogFixture.run { log in
            let stream = UUID()
            _ = try await log.appender.append(.sample(stream: stream))
            let outcomes = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        do throws(AppendError) {
                            return try await log.appender.append(.sample(stream: stream, expected: 1)).version
                        } catch {
                            guard case .conflict(let actual) = error else { return nil }
                            return -actual
                        }
                    }
                }
                return await group.reduce(into: [Int?]()) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 == 2 }.count == 1)
            #expect(outcomes.filter { $0 == -2 }.count == 19)
        }
    }

    @Test func `a poison command among 299 good ones is rejected alone`() async throws {
        try await LogFixture.run { log in
            let rejections = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<300 {
                    let payload = number == 150 ? "not json" : "{}"
                    group.addTask {
                        do throws(AppendError) {
                            _ = try await log.appender.append(.sample(payloads: [payload]))
                            return false
                        } catch {
                            guard case .rejected = error else { return false }
                            return true
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            let position = try await log.reader.origin().position
            #expect(rejections == 1)
            #expect(position == 299)
        }
    }

    @Test func `content is written with its event, and not without`() async throws {
        try await LogFixture.run { log in
            let stream = UUID()
            let note = AppendCommand.Content(field: "notes", value: "two of them, singing")
            _ = try await log.appender.append(.sample(stream: stream, content: [note]))
            let stale = AppendCommand.sample(stream: stream, content: [note])
            await #expect(throws: AppendError.self) { try await log.appender.append(stale) }
            let rows = try await log.pool.query("select position, value from vault.content where stream = \(stream)")
            #expect(try rows.rows.map { try $0.decode("value", as: String.self) } == ["two of them, singing"])
        }
    }

    @Test func `what is reserved by one stream is rejected to another, at once or later`() async throws {
        try await LogFixture.run { log in
            let email = AppendCommand.Reservation(kind: "email", digest: Array(repeating: 1, count: 32))
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 {
                    group.addTask { (try? await log.appender.append(.sample(reservations: [email]))) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            let position = try await log.reader.origin().position
            #expect(outcomes == 1)
            #expect(position == 1)
        }
    }

    @Test func `malformed commands are rejected before they are queued`() async throws {
        try await LogFixture.run(limits: AppendLimits { $0.commandBytes = 1_000 }) { log in
            var short = AppendCommand.sample()
            short.fingerprint = [1]
            var empty = AppendCommand.sample()
            empty.events = []
            let large = AppendCommand.sample(payloads: ["{\"x\": \"" + String(repeating: "x", count: 1_000) + "\"}"])
            for command in [short, empty, large] {
                await #expect(throws: AppendError.self) { try await log.appender.append(command) }
            }
        }
    }
}
