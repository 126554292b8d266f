internal import Crypto
package import Domain
package import EventLog
package import FoundationEssentials

/// Who asks for what under which key: what makes a second sending of a request find the first outcome.
package struct CommandIdentity: Sendable {
    /// The command's id in the log.
    package let id: UUID
    /// 16 bytes of an HMAC over what was asked.
    package let fingerprint: [UInt8]
    /// The deciding account; nil for the system and the operator.
    package let actor: UUID?

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
    ///   - request: what was asked for, in its canonical form; passwords are left out.
    ///   - target: the stream it is about and the version it expects, where it is about an existing one.
    package func identity(
        account: UUID, command: String, key idempotencyKey: UUID, request: JSONValue, target: String = "",
        actor: UUID?
    ) -> CommandIdentity {
        var text = Array(command.utf8) + [0] + Array(target.utf8) + [0]
        request.appendCanonical(to: &text)
        let code = HMAC<SHA256>.authenticationCode(for: text, using: key)
        return CommandIdentity(
            id: CommandID.derive(account: account, command: command, key: idempotencyKey),
            fingerprint: Array(code.prefix(16)), actor: actor)
    }
}

extension JSONValue {
    /// Appends the value so that equal requests give equal bytes: members by name, the last of a name, numbers by value.
    func appendCanonical(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(UInt8(ascii: "n"))
        case .bool(let value): bytes.append(UInt8(ascii: value ? "t" : "f"))
        case .number(let text): bytes += Array("#\(Double(text).map(String.init(describing:)) ?? text);".utf8)
        case .string(let text): Self.append(text, to: &bytes)
        case .array(let items):
            bytes.append(UInt8(ascii: "["))
            for item in items { item.appendCanonical(to: &bytes) }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for name in Set(object.members.map(\.name)).sorted() {
                Self.append(name, to: &bytes)
                object[name]?.appendCanonical(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes += Array("\"\(text.utf8.count):".utf8)
        bytes += Array(text.utf8)
    }
}
