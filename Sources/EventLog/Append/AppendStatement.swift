import FoundationEssentials
import Postgres

/// The one statement that appends: a call of `log.append` with a batch turned into arrays, and its answer.
enum AppendStatement {
    static func sql(_ batch: [AppendCommand], epoch: Int64, sentAt: Date) -> SQL {
        let events = EventArrays(batch)
        let content = ContentArrays(batch)
        let reservations = ReservationArrays(batch)
        return """
            select outcome, version, position, recorded_at, stream_version from log.append(
                \(epoch), \(sentAt),
                \(batch.map(\.stream)), \(batch.map(\.kind)), \(batch.map { Int32(clamping: $0.expectedVersion) }),
                \(batch.map(\.id)), \(batch.map(\.fingerprint)), \(batch.map { $0.actor ?? nobody }),
                \(batch.map { Int32(clamping: $0.events.count) }),
                \(events.command), \(events.number), \(events.type), \(events.payload), \(events.nonce),
                \(content.command), \(content.event), \(content.field), \(content.value),
                \(reservations.command), \(reservations.kind), \(reservations.digest))
            """
    }

    /// The outcomes of a batch's commands, in their order.
    static func outcomes(
        _ result: PostgresResult, of batch: [AppendCommand]
    ) throws(PostgresError) -> [Result<AppendReceipt, AppendError>] {
        guard result.count == batch.count else {
            throw PostgresError(.protocolViolation, "\(result.count) answers to \(batch.count) commands")
        }
        var outcomes: [Result<AppendReceipt, AppendError>] = []
        for row in result.rows { outcomes.append(try outcome(row)) }
        return outcomes
    }

    private static func outcome(_ row: PostgresRow) throws(PostgresError) -> Result<AppendReceipt, AppendError> {
        let outcome: Int16 = try row.decode("outcome")
        switch outcome {
        case 0, 1:
            return .success(
                AppendReceipt(
                    version: Int(try row.decode("version", as: Int32.self)), position: try row.decode("position"),
                    recordedAt: try row.decode("recorded_at"), isRepeat: outcome == 1))
        case 2: return .failure(.differentRequest)
        case 3: return .failure(.conflict(actualVersion: Int(try row.decode("stream_version", as: Int32.self))))
        default: return .failure(.reserved)
        }
    }

    /// Stands for "no account": an array with a NULL in it would have to be walked by the server.
    private static let nobody = UUID(bytes: [])
}

private struct EventArrays {
    var command: [Int32] = []
    var number: [Int32] = []
    var type: [String] = []
    var payload: [String] = []
    var nonce: [UUID] = []

    init(_ batch: [AppendCommand]) {
        for (index, item) in batch.enumerated() {
            for (number, event) in item.events.enumerated() {
                command.append(Int32(clamping: index + 1))
                self.number.append(Int32(clamping: number + 1))
                type.append(event.type)
                payload.append(event.payload)
                nonce.append(.random())
            }
        }
    }
}

private struct ContentArrays {
    var command: [Int32] = []
    var event: [Int32] = []
    var field: [String] = []
    var value: [String?] = []

    init(_ batch: [AppendCommand]) {
        for (index, item) in batch.enumerated() {
            for (number, event) in item.events.enumerated() {
                for content in event.content {
                    command.append(Int32(clamping: index + 1))
                    self.event.append(Int32(clamping: number + 1))
                    field.append(content.field)
                    value.append(content.value)
                }
            }
        }
    }
}

private struct ReservationArrays {
    var command: [Int32] = []
    var kind: [String] = []
    var digest: [[UInt8]] = []

    init(_ batch: [AppendCommand]) {
        for (index, item) in batch.enumerated() {
            for reservation in item.reservations {
                command.append(Int32(clamping: index + 1))
                kind.append(reservation.kind)
                digest.append(reservation.digest)
            }
        }
    }
}

extension UUID {
    /// Sixteen random bytes, all of them random: a nonce, not an RFC 9562 identifier.
    static func random() -> UUID {
        var generator = SystemRandomNumberGenerator()
        var pair = (generator.next(), generator.next())
        return withUnsafeBytes(of: &pair) { UUID(bytes: Array($0)) }
    }
}
