import Domain
package import JSON
package import Service

extension AccountProfile: JSONRepresentable {
    /// An account as its owner sees it.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("observerId", registration.observer)
            writer.field("email", email)
            writer.field("emailVerified", isVerified)
            writer.field("name", name)
            writer.field("displayName", displayName)
            writer.field("attribution", registration.attribution)
            writer.field("state", registration.state)
            writer.field("region", registration.region)
            writer.field("licence", registration.licence)
            writer.field("geoprivacy", registration.geoprivacy)
            writer.field("roles", roleNames)
            writer.field("createdAt", Instant(createdAt))
        }
    }

    /// The roles in the order of the vocabulary.
    var roleNames: [String] { Role.allCases.filter(roles.contains).map(\.rawValue) }
}

/// The answer to a grant.
struct AccountRoles: JSONRepresentable {
    let account: AccountProfile

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", account.id)
            writer.field("roles", account.roleNames)
        }
    }
}

/// A session that has just begun or been refreshed.
struct SessionAnswer: JSONRepresentable {
    let tokens: SessionTokens
    let account: AccountProfile

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("accessToken", tokens.accessToken)
            writer.field("refreshToken", tokens.refreshToken)
            writer.field("tokenType", SessionTokens.tokenType)
            writer.field("expiresIn", tokens.expiresIn)
            writer.field("account", account)
        }
    }
}
