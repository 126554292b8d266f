/// What another session has said with NOTIFY.
package struct PostgresNotification: Sendable, Hashable {
    /// The channel.
    package let channel: String
    /// The payload, empty if there was none.
    package let payload: String
    /// Process id of the session that said it.
    package let backendPID: Int32
}
