internal import Crypto
internal import Domain
internal import EventLog
internal import FoundationEssentials

extension AppendCommand {
    /// What a decision asks the log to record.
    init<Event>(_ decision: Decision<Event>, stream: UUID, expected: Int, _ command: CommandIdentity) {
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
