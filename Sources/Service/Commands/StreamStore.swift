import Crypto
package import Domain
package import EventLog
package import FoundationEssentials
import Postgres

/// The idempotency identity of a command: by it a repeated request finds the first outcome.
package struct CommandIdentity: Sendable {
    /// The command's id in the log.
    package let id: UUID
    /// 16 bytes of an HMAC over what was asked.
    package let fingerprint: [UInt8]
    /// The deciding account; nil for the system and the operator.
    package let actor: UUID?
}

/// Computes command identities, and ids derived from content. The HMAC's key is the log's, so a fingerprint or an id
/// alone reveals nothing about its input.
package struct CommandSigner: Sendable {
    /// Has taken in the key and nothing else; copied for each request, so that the key is hashed once.
    private let start: HMAC<SHA256>

    /// - Parameter key: the key in the log's head row.
    package init(key: [UInt8]) {
        start = HMAC(key: SymmetricKey(data: key))
    }

    /// - Parameters:
    ///   - account: the nil UUID where there is none yet.
    ///   - command: the command's name; an item of a batch has its single command's name.
    ///   - target: the stream that it changes; nil if it begins one.
    ///   - ifVersions: the versions that it may change (`If-Match`); nil for any.
    ///   - key: the request's idempotency key.
    ///   - request: what was asked for; passwords are left out.
    package func identity(
        account: UUID, command: String, target: UUID? = nil, ifVersions: Set<Int>? = nil, key idempotencyKey: UUID,
        request: CanonicalText, actor: UUID?
    ) -> CommandIdentity {
        let versions = ifVersions.map { $0.sorted().map(String.init).joined(separator: ",") }
        var code = start
        code.update(data: (CanonicalText(command, target?.uuidString, versions) + request).bytes)
        return CommandIdentity(
            id: CommandID.derive(account: account, command: command, target: target, key: idempotencyKey),
            fingerprint: Array(code.finalize().prefix(16)), actor: actor)
    }

    /// The id of something identified by its content: the same for the same parts.
    package func id(of parts: [String]) -> UUID {
        var code = start
        for part in parts { code.update(data: Array(part.utf8) + [0]) }
        return CommandID.hashed(code.finalize())
    }

    package func id(of parts: String...) -> UUID {
        id(of: parts)
    }

    /// The stream of the record of an imported row, by the row's `occurrenceID`.
    package func occurrence(_ id: String, in dataset: DatasetID) -> UUID {
        self.id(of: "occurrence", dataset.description, "id", id)
    }
}

/// A stream's state at one of its versions.
package struct Stored<State: Aggregate>: Sendable {
    package let id: UUID
    /// What the events up to this version come to.
    package var state: State
    /// The number of its events.
    package var version: Int
    /// The position of the event that made this version.
    package var position: Int64
    /// When that event was recorded.
    package var recordedAt: Date
    /// When the first event was.
    package var createdAt: Date
}

extension Stored {
    /// The state that an append leads to.
    /// - Parameter earlier: the state before it; nil if it begins the stream.
    fileprivate init(_ earlier: Stored?, id: UUID, _ events: [State.Event], _ receipt: AppendReceipt) {
        var state = earlier?.state ?? State()
        for event in events { state.evolve(event) }
        self.init(
            id: id, state: state, version: receipt.version, position: receipt.position,
            recordedAt: receipt.recordedAt, createdAt: earlier?.createdAt ?? receipt.recordedAt)
    }
}

/// The outcome of a command.
package struct Outcome<State: Aggregate>: Sendable {
    /// The state the command led to; of a repeated one, as its first sending left it.
    package var stored: Stored<State>
    /// The command had been carried out before.
    package var isRepeat: Bool
    /// Of a repeated command: the state as it is now.
    package var current: Stored<State>
}

/// Loads streams, decides, appends: the one way from a command to the log.
package struct StreamStore: Sendable {
    let reader: LogReader
    let appender: Appender
    /// Where the positions of acknowledged commands are noted.
    var writes: OwnWrites?

    package init(reader: LogReader, appender: Appender, writes: OwnWrites? = nil) {
        (self.reader, self.appender, self.writes) = (reader, appender, writes)
    }

    /// The same, for reading streams of another server's log.
    func reading(_ database: any PostgresQuerying) -> StreamStore {
        StreamStore(reader: LogReader(database), appender: appender, writes: writes)
    }

    /// A stream's state.
    /// - Parameter position: as of this position.
    /// - Returns: nil when there is no such stream, or it is of another kind.
    /// - Throws: `PostgresError`, `PayloadFault`.
    package func load<State: Aggregate>(
        _ id: UUID, as type: State.Type = State.self, upTo position: Int64 = .max
    ) async throws -> Stored<State>? {
        try Self.fold(try await reader.stream(id, kind: State.Event.stream.rawValue, upTo: position))
    }

    /// The states of some streams, read at once. Those that are not there, or are of another kind, are left out.
    /// - Throws: `PostgresError`, `PayloadFault`.
    func load<State: Aggregate>(
        _ ids: [UUID], as type: State.Type = State.self
    ) async throws -> [UUID: Stored<State>] {
        try await reader.streams(ids, kind: State.Event.stream.rawValue).compactMapValues { try Self.fold($0) }
    }

    private static func fold<State: Aggregate>(
        _ events: some Sequence<RecordedEvent>
    ) throws -> Stored<State>? {
        var stored: Stored<State>?
        for event in events {
            let decoded = try State.Event(type: event.type, payload: Array(event.payload.utf8))
            if stored == nil {
                stored = Stored(
                    id: event.stream, state: State(), version: 0, position: 0, recordedAt: event.recordedAt,
                    createdAt: event.recordedAt)
            }
            stored?.state.evolve(decoded)
            stored?.version = event.version
            stored?.position = event.position
            stored?.recordedAt = event.recordedAt
        }
        return stored
    }

    /// Begins a stream.
    /// - Parameters:
    ///   - id: derived from the command, so that a repeated command finds the stream.
    ///   - decide: what the command leads to. It throws to reject, unless the command was carried out before: what it
    ///     consults besides the request, such as a list or a setting, may have changed since.
    /// - Throws: what `decide` throws; ``CommandError``; `PostgresError`.
    package func begin<State: Aggregate>(
        _ id: UUID, _ command: CommandIdentity, decide: () async throws -> Decision<State.Event>
    ) async throws -> Outcome<State> {
        let decision: Decision<State.Event>
        do {
            decision = try await decide()
        } catch {
            await appender.settle(command.id)
            if let earlier: Outcome<State> = try await repeated(try await reader.stream(id), command) { return earlier }
            throw error
        }
        let receipt = try await append(decision, to: id, expected: 0, command)
        if receipt.isRepeat, let earlier: Outcome<State> = try await repeated(try await reader.stream(id), command) {
            return earlier
        }
        let stored = Stored<State>(nil, id: id, decision.events, receipt)
        return Outcome(stored: stored, isRepeat: false, current: stored)
    }

    /// Changes a stream that is there.
    /// - Parameters:
    ///   - ifVersions: the versions the caller wants to change; nil for any, and then a conflict is decided again.
    ///   - decide: what the command leads to in the stream's state; nothing where it changes nothing.
    ///   - mayAct: whether the caller may know of the stream at all; for others it does not exist.
    /// - Throws: what `decide` throws; ``CommandError``; `PostgresError`.
    package func change<State: Aggregate>(
        _ id: UUID, ifVersions: Set<Int>?, _ command: CommandIdentity,
        decide: (Stored<State>) async throws -> Decision<State.Event>, mayAct: (State) -> Bool = { _ in true }
    ) async throws -> Outcome<State> {
        let outcome: Outcome<State>? = try await record(
            in: id, ofKind: State.Event.stream.rawValue, ifVersions: ifVersions, command
        ) { stored in
            guard let stored, mayAct(stored.state) else { throw CommandError.notFound }
            try Self.require(stored.version, in: ifVersions)
            return try await decide(stored)
        }
        guard let outcome else { throw CommandError.notFound }
        return outcome
    }

    /// Changes a stream, or begins it if it is not there. For streams whose id follows from their subject, such as a
    /// region and week: any command may be the first, and several may be sent at once.
    /// - Parameters:
    ///   - ifVersions: the versions the caller wants to change, 0 for a stream that is not there; nil for any, and then
    ///     a conflict is decided again.
    ///   - decide: what the command leads to in the stream's state, or in the initial one; nothing where it changes
    ///     nothing.
    /// - Returns: nil if the stream is not there and the command changes nothing.
    /// - Throws: what `decide` throws; ``CommandError``; `PostgresError`; `PayloadFault` if the stream is of another
    ///   kind.
    package func beginOrChange<State: Aggregate>(
        _ id: UUID, ifVersions: Set<Int>?, _ command: CommandIdentity,
        decide: (State) async throws -> Decision<State.Event>
    ) async throws -> Outcome<State>? {
        // Streams of any kind are read: one of another kind would seem to be missing, and every attempt to begin it
        // would conflict.
        try await record(in: id, ofKind: nil, ifVersions: ifVersions, command) { (stored: Stored<State>?) in
            try Self.require(stored?.version ?? 0, in: ifVersions)
            return try await decide(stored?.state ?? State())
        }
    }

    private static func require(_ version: Int, in ifVersions: Set<Int>?) throws(CommandError) {
        guard let ifVersions, !ifVersions.contains(version) else { return }
        throw .stale(actualVersion: version)
    }

    /// Decides in a stream's present state and appends, again after a conflict unless the caller names versions.
    /// - Parameter decide: gets nil while the stream is not there.
    /// - Returns: nil if the stream is not there and nothing was decided.
    private func record<State: Aggregate>(
        in id: UUID, ofKind kind: String?, ifVersions: Set<Int>?, _ command: CommandIdentity,
        decide: (Stored<State>?) async throws -> Decision<State.Event>
    ) async throws -> Outcome<State>? {
        while true {
            // Wait for an earlier attempt in this process: both have the same outcome.
            await appender.settle(command.id)
            let events = try await reader.stream(id, kind: kind)
            if let earlier: Outcome<State> = try await repeated(events, command) { return earlier }
            let before: Stored<State>? = try Self.fold(events)
            let decision = try await decide(before)
            if decision.isEmpty { return before.map { Outcome(stored: $0, isRepeat: false, current: $0) } }
            do {
                let receipt = try await append(decision, to: id, expected: before?.version ?? 0, command)
                if receipt.isRepeat { continue }
                let stored = Stored(before, id: id, decision.events, receipt)
                return Outcome(stored: stored, isRepeat: false, current: stored)
            } catch CommandError.stale where ifVersions == nil {
                continue
            }
        }
    }

    /// The first outcome of a command that is in the stream already.
    private func repeated<State: Aggregate>(
        _ events: [RecordedEvent], _ command: CommandIdentity
    ) async throws -> Outcome<State>? {
        guard let first = events.firstIndex(where: { $0.command == command.id }) else { return nil }
        guard events[first].fingerprint == command.fingerprint else { throw CommandError.keyReused }
        let next = events[(first + 1)...].firstIndex { $0.command != nil } ?? events.endIndex
        guard let then: Stored<State> = try Self.fold(events[..<next]), let now: Stored<State> = try Self.fold(events)
        else { return nil }
        writes?.acknowledge(then.position, by: command.actor)
        return Outcome(stored: then, isRepeat: true, current: now)
    }

    private func append<Event>(
        _ decision: Decision<Event>, to id: UUID, expected: Int, _ command: CommandIdentity
    ) async throws -> AppendReceipt {
        let request = AppendCommand(decision, stream: id, expected: expected, command)
        do {
            let receipt = try await appender.append(request)
            writes?.acknowledge(receipt.position, by: command.actor)
            return receipt
        } catch {
            throw CommandError(error, reservations: request.reservations)
        }
    }
}

extension AppendCommand {
    /// The append that records a decision.
    package init<Event>(_ decision: Decision<Event>, stream: UUID, expected: Int, _ command: CommandIdentity) {
        var events = decision.events.map {
            AppendCommand.Event(type: $0.type, payload: String(decoding: $0.payload, as: UTF8.self))
        }
        for write in decision.content where events.indices.contains(write.event) {
            events[write.event].content.append(Content(field: write.field.rawValue, value: write.value))
        }
        self.init(
            stream: stream, kind: Event.stream.rawValue, expectedVersion: expected, id: command.id,
            fingerprint: command.fingerprint, actor: command.actor, events: events,
            reservations: decision.reservations.map(AppendCommand.Reservation.init))
    }
}

extension AppendCommand.Reservation {
    init(_ reservation: Domain.Reservation) {
        self.init(kind: reservation.kind.rawValue, digest: Array(SHA256.hash(data: Array(reservation.text.utf8))))
    }
}

extension CommandError {
    /// The error that a rejected append is for the caller.
    init(_ error: AppendError, reservations: [AppendCommand.Reservation]) {
        switch error {
        case .differentRequest: self = .keyReused
        case .conflict(let version): self = .stale(actualVersion: version)
        case .reserved where reservations.contains { $0.kind == Reservation.Kind.email.rawValue }: self = .emailTaken
        case .reserved where reservations.contains { $0.kind == Reservation.Kind.photo.rawValue }: self = .ordinalTaken
        case .reserved where reservations.contains { $0.kind == Reservation.Kind.exportRequest.rawValue }:
            self = .keyReused
        case .actorErased: self = .callerErased
        case .reserved, .malformed, .rejected: self = .rejected(error)
        case .queueFull, .clockRejected, .epochChanged, .closed, .unavailable, .unknownOutcome:
            self = .unavailable(error)
        }
    }
}
