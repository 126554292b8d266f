import FoundationEssentials
import Postgres
import TestSupport
import Testing

@testable import EventLog

/// An account decides nothing after the event that erases it.
struct ErasedActorTests {
    private static func erase(_ account: UUID, id: UUID = UUID()) -> AppendCommand {
        var command = AppendCommand.sample(
            stream: account, expected: 1, id: id, payloads: [#"{"sightings":"keep"}"#])
        command.events[0].type = "AccountErased"
        command.actor = account
        return command
    }

    private static func typed(by account: UUID) -> AppendCommand {
        var command = AppendCommand.sample(content: [AppendCommand.Content(field: "notes", value: "words")])
        command.actor = account
        return command
    }

    @Test func `a command of an erased account is rejected, and those of others are not`() async throws {
        try await LogFixture.run { log in
            let account = UUID()
            _ = try await log.appender.append(.sample(stream: account))
            let (before, erasure) = (Self.typed(by: account), Self.erase(account))
            _ = try await log.appender.append(before)
            let erased = try await log.appender.append(erasure)
            await #expect {
                try await log.appender.append(Self.typed(by: account))
            } throws: { error in
                if case AppendError.actorErased = error { true } else { false }
            }
            for command in [before, erasure] { #expect(try await log.appender.append(command).isRepeat) }
            let other = try await log.appender.append(Self.typed(by: UUID()))
            #expect(other.position == erased.position + 1)
        }
    }

    /// Whatever the order in the batch, the words of a later position would be overlooked by the erasure.
    @Test(arguments: [true, false])
    func `beside the erasure in one batch, only what comes before it is recorded`(isFirst: Bool) async throws {
        try await LogFixture.run { log in
            let account = UUID()
            _ = try await log.appender.append(.sample(stream: account))
            let commands = [Self.erase(account), Self.typed(by: account)]
            let epoch = try await log.reader.origin().epoch
            let statement = AppendStatement.sql(isFirst ? commands : commands.reversed(), epoch: epoch, sentAt: Date())
            do {
                _ = try await log.pool.query(statement)
                #expect(!isFirst)
            } catch let error as PostgresError {
                #expect(isFirst && error.sqlState == .actorErased)
            }
            let head = try await log.reader.origin().position
            #expect(head == (isFirst ? 1 : 3))
            let words = try await log.pool.query("select max(position) as position from vault.content").onlyRow()
            #expect(try words.decode("position", as: Int64?.self) == (isFirst ? nil : 2))
        }
    }
}
