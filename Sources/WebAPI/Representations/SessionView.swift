/// A session that has just begun or been refreshed.
package struct SessionView: Sendable, JSONRepresentable {
    /// What requests carry in `Authorization`.
    package var accessToken: String
    /// What the next refresh takes; each is good for one.
    package var refreshToken: String
    /// How many seconds the access token is valid.
    package var expiresIn: Int
    /// Whose session it is.
    package var account: AccountView

    /// Fills in everything.
    package init(accessToken: String, refreshToken: String, expiresIn: Int, account: AccountView) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.account = account
    }

    /// Writes the tokens, how long the access token lasts, and whose they are.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("accessToken", accessToken)
            writer.field("refreshToken", refreshToken)
            writer.field("tokenType", "Bearer")
            writer.field("expiresIn", expiresIn)
            writer.field("account", account)
        }
    }
}
