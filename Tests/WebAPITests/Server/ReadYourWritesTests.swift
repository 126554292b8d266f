import Domain
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import Service
import Testing

@testable import Web

struct ReadYourWritesTests {
    /// A log of 100 events with a model at the checkpoint `reached`.
    struct StubLog: LogFollowing {
        var reached: Int64 = 100
        var isBehind = false
        var lastWrite: Int64 = 0
        let asked = NIOLockedValueBox<[String]>([])

        func isBehind(_ model: String) -> Bool { isBehind }

        func lastWrite(of account: AccountID) -> Int64 { lastWrite }

        /// Tokens are positions here; a word is a fault.
        func position(sealedAs token: String) async throws -> Int64 {
            switch token {
            case "above": throw PositionSeal.Fault.aboveHead
            case "other": throw PositionSeal.Fault.otherEpoch
            default: break
            }
            guard let position = Int64(token) else { throw PositionSeal.Fault.unreadable }
            return position
        }

        func hasReached(_ position: Int64, model: String, within timeout: Duration) async throws -> Bool {
            asked.withLockedValue { $0.append("\(model) \(position) \(timeout)") }
            return reached >= position
        }
    }

    private func wait(_ header: String?, _ log: StubLog, account: AccountID? = nil) async throws {
        var headers = HTTPFields()
        headers[.logPosition] = header
        try await ReadYourWrites(log).wait(headers, model: "findings", account: account)
    }

    @Test func `without the header nobody waits`() async throws {
        let log = StubLog()
        try await wait(nil, log)
        #expect(log.asked.withLockedValue { $0 }.isEmpty)
    }

    @Test func `a model that is behind, failing or ahead of the log answers nobody`() async throws {
        let log = StubLog(isBehind: true)
        for header in [nil, "99"] {
            let error = await #expect(throws: ProblemDetails.self) { try await wait(header, log) }
            #expect(error?.type == .modelBehind)
        }
    }

    @Test func `with it the model is waited for, two seconds at most`() async throws {
        let log = StubLog()
        try await wait("99", log)
        #expect(log.asked.withLockedValue { $0 } == ["findings 99 2.0 seconds"])
    }

    @Test func `an account's read waits for its last write, or for the header if that is higher`() async throws {
        let account = AccountID(UUID())
        for (header, asked) in [(nil, 97), ("99", 99), ("96", 97)] {
            let log = StubLog(lastWrite: 97)
            try await wait(header, log, account: account)
            #expect(log.asked.withLockedValue { $0 } == ["findings \(asked) 2.0 seconds"])
        }
        let error = await #expect(throws: ProblemDetails.self) {
            try await wait(nil, StubLog(reached: 96, lastWrite: 97), account: account)
        }
        #expect(error?.type == .modelBehind)
        let others = StubLog(reached: 96, lastWrite: 97)
        try await wait(nil, others)
        #expect(others.asked.withLockedValue { $0 }.isEmpty)
    }

    @Test func `a model that is behind is 503`() async throws {
        let error = await #expect(throws: ProblemDetails.self) { try await wait("99", StubLog(reached: 98)) }
        #expect(error?.type == .modelBehind)
        #expect(error?.headers[.retryAfter] == "1")
    }

    @Test(arguments: [
        ("above", ProblemType.logPositionUnknown), ("other", .epochChanged), ("x", .invalidHeader),
    ])
    func `above the head, or of another epoch, nobody waits in vain`(header: String, type: ProblemType) async throws {
        let error = await #expect(throws: PositionSeal.Fault.self) { try await wait(header, StubLog()) }
        #expect(error?.problem.type == type)
    }
}
