package import FoundationEssentials

/// An event as it stands in the log.
package struct RecordedEvent: Sendable, Hashable {
    /// Its place in the one order of everything: 1, 2, 3 … without holes, in commit order.
    package let position: Int64
    /// The stream it belongs to.
    package let stream: UUID
    /// Its place in the stream, from 1.
    package let version: Int
    /// The event's name, such as `SightingSubmitted`.
    package let type: String
    /// The command it was decided for; only a command's first event carries it.
    package let command: UUID?
    /// 16 bytes that tell whether a second sending of the command asks for the same; with ``command`` only.
    package let fingerprint: [UInt8]?
    /// The account that decided; nil for the system and the operator.
    package let actor: UUID?
    /// When it was recorded, by the database's clock. Never earlier than the event before it.
    package let recordedAt: Date
    /// 128 random bits, so that a published hash of the payload cannot be guessed.
    package let nonce: UUID
    /// The payload as it was written, a JSON object.
    package let payload: String

    /// Puts an event together.
    package init(
        position: Int64, stream: UUID, version: Int, type: String, command: UUID?,
        fingerprint: [UInt8]?, actor: UUID?, recordedAt: Date, nonce: UUID, payload: String
    ) {
        self.position = position
        self.stream = stream
        self.version = version
        self.type = type
        self.command = command
        self.fingerprint = fingerprint
        self.actor = actor
        self.recordedAt = recordedAt
        self.nonce = nonce
        self.payload = payload
    }
}
