internal import Crypto
internal import EventLog
package import FoundationEssentials

/// Who asks for what under which key: what makes a second sending of a request find the first outcome.
package struct CommandIdentity: Sendable {
    /// The command's id in the log.
    package let id: UUID
    /// 16 bytes of an HMAC over what was asked.
    package let fingerprint: [UInt8]
    /// The deciding account; nil for the system and the operator.
    package let actor: UUID?

    /// Puts an identity together.
    package init(id: UUID, fingerprint: [UInt8], actor: UUID?) {
        self.id = id
        self.fingerprint = fingerprint
        self.actor = actor
    }
}

/// Makes command identities. The HMAC's key is the log's, so that a fingerprint alone tells nothing about a request.
package struct CommandSigner: Sendable {
    private let key: SymmetricKey

    /// - Parameter key: the key in the log's head row.
    package init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// - Parameters:
    ///   - account: the nil UUID where there is none yet.
    ///   - command: the command's name; an item of a batch has its single command's name.
    ///   - key: the request's idempotency key.
    ///   - request: what was asked for, in a form that is the same for equal requests; passwords are left out.
    ///   - target: the stream it is about and the version it expects, where it is about an existing one.
    package func identity(
        account: UUID, command: String, key idempotencyKey: UUID, request: [UInt8], target: String = "",
        actor: UUID?
    ) -> CommandIdentity {
        let text = Array(command.utf8) + [0] + Array(target.utf8) + [0] + request
        let code = HMAC<SHA256>.authenticationCode(for: text, using: key)
        return CommandIdentity(
            id: CommandID.derive(account: account, command: command, key: idempotencyKey),
            fingerprint: Array(code.prefix(16)), actor: actor)
    }
}
