import Domain
package import JSON
package import Service

extension AccountProfile: JSONRepresentable {
    /// An account as its owner sees it.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("observerId", observer)
            writer.field("email", email)
            writer.field("emailVerified", isVerified)
            writer.field("name", name)
            writer.field("displayName", displayName)
            writer.field("attribution", settings.attribution)
            writer.field("state", settings.state)
            writer.field("region", settings.region)
            writer.field("licence", settings.licence)
            writer.field("geoprivacy", settings.geoprivacy)
            writer.field("language", settings.language)
            writer.field("publicGallery", settings.publicGallery)
            writer.field("roles", roleNames)
            writer.field("suspension", suspension)
            writer.field("createdAt", Instant(createdAt))
        }
    }

    /// The roles in the order of the vocabulary.
    var roleNames: [String] { Role.allCases.filter(roles.contains).map(\.rawValue) }
}

extension Suspension: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("reason", reason)
            writer.field("until", until)
        }
    }
}

/// An account as admins see it: without what is private.
package struct AdministeredAccount: JSONRepresentable {
    let account: AccountProfile

    package init(account: AccountProfile) {
        self.account = account
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", account.id)
            writer.field("observerId", account.observer)
            writer.field("displayName", account.displayName)
            writer.field("attribution", account.settings.attribution)
            writer.field("roles", account.roleNames)
            writer.field("suspension", account.suspension)
            writer.field("createdAt", Instant(account.createdAt))
        }
    }
}

/// The answer to a grant.
package struct AccountRoles: JSONRepresentable {
    let account: AccountProfile

    package init(account: AccountProfile) {
        self.account = account
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", account.id)
            writer.field("roles", account.roleNames)
        }
    }
}

/// A session that has just begun or been refreshed.
package struct SessionAnswer: JSONRepresentable {
    let tokens: SessionTokens
    let account: AccountProfile

    package init(tokens: SessionTokens, account: AccountProfile) {
        self.tokens = tokens
        self.account = account
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("accessToken", tokens.accessToken)
            writer.field("refreshToken", tokens.refreshToken)
            writer.field("tokenType", SessionTokens.tokenType)
            writer.field("expiresIn", tokens.expiresIn)
            writer.field("account", account)
        }
    }
}
