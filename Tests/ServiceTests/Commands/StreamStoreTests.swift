import Domain
import EventLog
import Foundation
import Testing

@testable import Service

struct StreamStoreTests {
    private typealias DatasetOutcome = Outcome<DatasetState>

    private let id = UUID()
    private let account = AccountID(UUID())

    @Test func `a conflict is decided again in the new state when the caller names no version`() async throws {
        try await run { store in
            var decisions = 0
            let outcome: DatasetOutcome = try await store.change(id, ifVersions: nil, identity()) { stored in
                decisions += 1
                if decisions == 1 { _ = try await startImport(in: store) }
                return try start(stored.state)
            }
            #expect(decisions == 2)
            #expect(outcome.stored.version == 3 && outcome.stored.state.imports.count == 2 && !outcome.isRepeat)
        }
    }

    @Test func `changes of one stream sent at once all succeed, each decided in the state that it changes`()
        async throws
    {
        try await run { store in
            let (outcomes, failures) = await atOnce(
                (0..<8).map { _ in
                    {
                        let outcome: DatasetOutcome = try await store.change(id, ifVersions: nil, identity()) {
                            stored in
                            #expect(stored.state.imports.count == stored.version - 1)
                            return try start(stored.state)
                        }
                        return outcome.stored.version
                    }
                })
            #expect(failures.isEmpty && outcomes.sorted() == Array(2...9))
        }
    }

    @Test func `a conflict may end in a rejection, or in nothing left to change`() async throws {
        try await run { store in
            await #expect(throws: DatasetRejection.notFound) {
                let _: DatasetOutcome = try await store.change(id, ifVersions: nil, identity()) { stored in
                    guard stored.version == 1 else { throw DatasetRejection.notFound }
                    _ = try await startImport(in: store)
                    return try start(stored.state)
                }
            }
            let outcome: DatasetOutcome = try await store.change(id, ifVersions: nil, identity()) { stored in
                guard stored.version == 2 else { return .nothing }
                _ = try await startImport(in: store)
                return try start(stored.state)
            }
            #expect(outcome.stored.version == 3 && !outcome.isRepeat)
        }
    }

    @Test func `a conflict is stale when the caller names a version, before and after the decision`() async throws {
        try await run { store in
            await #expect(throws: CommandError.self) {
                let _: DatasetOutcome = try await store.change(id, ifVersions: [7], identity()) { try start($0.state) }
            }
            let error = await #expect(throws: CommandError.self) {
                let _: DatasetOutcome = try await store.change(id, ifVersions: [1], identity()) { stored in
                    _ = try await startImport(in: store)
                    return try start(stored.state)
                }
            }
            if case .stale(actualVersion: 2)? = error { return }
            Issue.record("\(error as Any)")
        }
    }

    @Test func `a repeated command returns its first outcome and the current state`() async throws {
        try await run { store in
            let command = identity()
            let first = try await startImport(in: store, command)
            _ = try await startImport(in: store)
            let again = try await startImport(in: store, command)
            #expect(!first.isRepeat && again.isRepeat)
            #expect(again.stored.version == 2 && again.stored.position == first.stored.position)
            #expect(again.current.version == 3)
        }
    }

    @Test func `the same command sent meanwhile is found by the append`() async throws {
        try await run { store in
            let command = identity()
            let outcome: DatasetOutcome = try await store.change(id, ifVersions: nil, command) { stored in
                if stored.version == 1 { _ = try await startImport(in: store, command) }
                return try start(stored.state)
            }
            #expect(outcome.isRepeat && outcome.stored.version == 2)
        }
    }

    @Test func `a key that was used for another request is rejected`() async throws {
        try await run { store in
            let key = UUID()
            _ = try await startImport(in: store, identity(key, asking: 1))
            let error = await #expect(throws: CommandError.self) {
                _ = try await startImport(in: store, identity(key, asking: 2))
            }
            if case .keyReused? = error { return }
            Issue.record("\(error as Any)")
        }
    }

    @Test func `a repeated beginning is found even if it would be rejected now`() async throws {
        try await run { store in
            let (other, command) = (UUID(), identity())
            let registration = try registration("Begun twice")
            let first: DatasetOutcome = try await store.begin(other, command) { registration }
            let again: DatasetOutcome = try await store.begin(other, command) { throw DatasetRejection.notFound }
            #expect(again.isRepeat && again.stored.position == first.stored.position)
            let sent: DatasetOutcome = try await store.begin(other, command) { registration }
            #expect(sent.isRepeat && sent.stored.position == first.stored.position)
            await #expect(throws: DatasetRejection.notFound) {
                let _: DatasetOutcome = try await store.begin(UUID(), identity()) { throw DatasetRejection.notFound }
            }
        }
    }

    @Test func `a stream that the caller may not know of is not found, and neither is none or one of another kind`()
        async throws
    {
        try await run { store in
            try await expectNotFound {
                let _: DatasetOutcome = try await store.change(UUID(), ifVersions: nil, identity()) { _ in .nothing }
            }
            try await expectNotFound {
                let _: Outcome<TaxonState> = try await store.change(id, ifVersions: nil, identity()) { _ in .nothing }
            }
            try await expectNotFound {
                let _: DatasetOutcome = try await store.change(
                    id, ifVersions: nil, identity(), decide: { _ in .nothing }, mayAct: { _ in false })
            }
            let none: Stored<TaxonState>? = try await store.load(id)
            #expect(none == nil)
        }
    }

    @Test func `a command that changes nothing appends nothing`() async throws {
        try await run { store in
            let outcome: DatasetOutcome = try await store.change(id, ifVersions: nil, identity()) { _ in .nothing }
            #expect(outcome.stored.version == 1 && !outcome.isRepeat)
        }
    }

    @Test func `a stream that may be missing is begun by the first command and changed by later ones`() async throws {
        try await run { store in
            let subject = UUID()
            for version in 1...3 {
                let outcome: DatasetOutcome? = try await store.beginOrChange(
                    subject, ifVersions: [version - 1], identity(), decide: registerOrStart)
                #expect(outcome?.stored.version == version && outcome?.isRepeat == false)
                #expect(outcome?.stored.state.imports.count == version - 1)
            }
        }
    }

    @Test func `one of several first commands sent at once begins the stream, and the others change it`() async throws {
        try await run { store in
            let subject = UUID()
            let (outcomes, failures) = await atOnce(
                (0..<8).map { _ in
                    {
                        let outcome: DatasetOutcome? = try await store.beginOrChange(
                            subject, ifVersions: nil, identity(), decide: registerOrStart)
                        return outcome?.stored.version ?? 0
                    }
                })
            #expect(failures.isEmpty && outcomes.sorted() == Array(1...8))
        }
    }

    @Test func `a stream that was begun meanwhile is changed, or stale if the caller names version 0`() async throws {
        try await run { store in
            let (subject, other) = (UUID(), UUID())
            var decisions = 0
            let outcome: DatasetOutcome? = try await store.beginOrChange(subject, ifVersions: nil, identity()) {
                state in
                decisions += 1
                if decisions == 1 { try await begin(subject, in: store) }
                return try registerOrStart(state)
            }
            #expect(decisions == 2 && outcome?.stored.version == 2)
            try await expectStale(actualVersion: 1) {
                let _: DatasetOutcome? = try await store.beginOrChange(other, ifVersions: [0], identity()) { state in
                    try await begin(other, in: store)
                    return try registerOrStart(state)
                }
            }
            try await expectStale(actualVersion: 0) {
                let _: DatasetOutcome? = try await store.beginOrChange(
                    UUID(), ifVersions: [1], identity(), decide: registerOrStart)
            }
        }
    }

    @Test func `a repeated first command is found even if it would be rejected now`() async throws {
        try await run { store in
            let (subject, command) = (UUID(), identity())
            let first: DatasetOutcome? = try await store.beginOrChange(
                subject, ifVersions: [0], command, decide: registerOrStart)
            _ = try await startImport(in: store, on: subject)
            let again: DatasetOutcome? = try await store.beginOrChange(subject, ifVersions: [0], command) { _ in
                throw DatasetRejection.notFound
            }
            #expect(again?.isRepeat == true && again?.stored.position == first?.stored.position)
            #expect(again?.stored.version == 1 && again?.current.version == 2)
            await #expect(throws: DatasetRejection.notFound) {
                let _: DatasetOutcome? = try await store.beginOrChange(UUID(), ifVersions: nil, identity()) { _ in
                    throw DatasetRejection.notFound
                }
            }
        }
    }

    @Test func `a missing stream stays missing if the command changes nothing`() async throws {
        try await run { store in
            let subject = UUID()
            let outcome: DatasetOutcome? = try await store.beginOrChange(subject, ifVersions: nil, identity()) { _ in
                .nothing
            }
            let stored: Stored<DatasetState>? = try await store.load(subject)
            #expect(outcome == nil && stored == nil)
        }
    }

    @Test func `a stream of another kind is neither begun nor changed`() async throws {
        try await run { store in
            await #expect(throws: PayloadFault.self) {
                let _: Outcome<TaxonState>? = try await store.beginOrChange(id, ifVersions: nil, identity()) { _ in
                    .nothing
                }
            }
        }
    }

    @Test func `the positions of acknowledged commands are noted for their account, repeated ones too`() async throws {
        let command = identity()
        try await ImportFixture.run { fixture in
            let writes = OwnWrites { 0 }
            let store = StreamStore(reader: fixture.reader, appender: fixture.appender, writes: writes)
            let registration = try registration("Noted")
            let outcome: DatasetOutcome = try await store.begin(id, command) { registration }
            #expect(writes.position(of: account) == outcome.stored.position)
            let elsewhere = OwnWrites { 0 }
            let other = StreamStore(reader: fixture.reader, appender: fixture.appender, writes: elsewhere)
            let _: DatasetOutcome = try await other.change(id, ifVersions: nil, command) { _ in .nothing }
            #expect(elsewhere.position(of: account) == outcome.stored.position)
        }
    }
}

extension StreamStoreTests {
    /// Runs something with a dataset on the stream ``id``, at version 1.
    private func run(_ body: @Sendable (StreamStore) async throws -> Void) async throws {
        try await ImportFixture.run { fixture in
            let store = StreamStore(reader: fixture.reader, appender: fixture.appender)
            let registration = try registration("A dataset")
            let _: DatasetOutcome = try await store.begin(id, identity()) { registration }
            try await body(store)
        }
    }

    private func expectNotFound(_ command: () async throws -> Void) async throws {
        let error = await #expect(throws: CommandError.self) { try await command() }
        if case .notFound? = error { return }
        Issue.record("\(error as Any)")
    }

    private func expectStale(actualVersion: Int, _ command: () async throws -> Void) async throws {
        let error = await #expect(throws: CommandError.self) { try await command() }
        if case .stale(actualVersion: actualVersion)? = error { return }
        Issue.record("\(error as Any)")
    }

    private func registration(_ title: String) throws -> Decision<DatasetEvent> {
        try DatasetDecider.decide(.register(RegisterDataset(title: try DatasetTitle(title))), DatasetState())
    }

    private func identity(_ key: UUID = UUID(), asking request: Int = 0) -> CommandIdentity {
        CommandSigner(key: [1]).identity(
            account: account.uuid, command: "Test", key: key, request: CanonicalText("\(request)"), actor: account.uuid)
    }

    private func start(_ state: DatasetState) throws -> Decision<DatasetEvent> {
        let start = StartImport(
            batch: BatchID(UUID()), file: try Fingerprint(bytes: Array(repeating: 1, count: 16)),
            fileName: try FileName("a.csv"))
        return try DatasetDecider.decide(.startImport(start), state)
    }

    private func startImport(
        in store: StreamStore, on stream: UUID? = nil, _ command: CommandIdentity? = nil
    ) async throws -> DatasetOutcome {
        try await store.change(stream ?? id, ifVersions: nil, command ?? identity()) { try start($0.state) }
    }

    private func begin(_ stream: UUID, in store: StreamStore) async throws {
        let registration = try registration(stream.uuidString)
        let _: DatasetOutcome = try await store.begin(stream, identity()) { registration }
    }

    /// Registers a dataset that is new, and starts an import of any other.
    private func registerOrStart(_ state: DatasetState) throws -> Decision<DatasetEvent> {
        try state.exists ? start(state) : registration(UUID().uuidString)
    }
}
