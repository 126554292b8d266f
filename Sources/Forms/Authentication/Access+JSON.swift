package import Domain
package import JSON
package import Service

/// A session for its owner.
package struct ShownSession: JSONRepresentable {
    let session: OpenSession
    /// Whether it is the caller's.
    let isCurrent: Bool

    package init(session: OpenSession, isCurrent: Bool) {
        self.session = session
        self.isCurrent = isCurrent
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", session.id)
            writer.field("device", session.device)
            writer.field("startedAt", session.startedAt)
            writer.field("lastUsedAt", session.usedAt)
            writer.field("expiresAt", session.expiresAt)
            writer.field("current", isCurrent)
        }
    }
}

extension ApiKey: JSONRepresentable {
    /// Writes a key for its owner, without its text.
    package func write(to writer: inout JSONWriter) {
        writer.object { writeMembers(to: &$0) }
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("name", name)
        writer.field("scopes", KeyScope.allCases.filter(scopes.contains).map(\.rawValue))
        writer.field("createdAt", createdAt)
        writer.field("expires", expiresAt)
        writer.field("lastUsedAt", usedAt)
    }
}

extension AccountKeys.New: JSONRepresentable {
    /// Writes a key with its text.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            key.writeMembers(to: &writer)
            writer.field("key", text)
        }
    }
}
