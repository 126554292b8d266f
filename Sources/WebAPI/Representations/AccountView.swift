package import Domain
package import FoundationEssentials

/// An account as its owner sees it.
package struct AccountView: Hashable, Sendable, JSONRepresentable {
    /// The account's id, which nobody else sees.
    package var id: UUID
    /// The pseudonymous id under which public records appear.
    package var observerId: UUID
    /// The address, as it was typed.
    package var email: String
    /// The full name, which is private.
    package var name: String
    /// The public name: the chosen one, or the one that was made up.
    package var displayName: String
    /// `displayName` or `anonymous`.
    package var attribution: String
    /// ISO 3166-2; nil for elsewhere.
    package var state: String?
    /// The region's code.
    package var region: String?
    /// The licence that new sightings have unless they say otherwise.
    package var licence: String
    /// The geoprivacy that new sightings have unless they say otherwise.
    package var geoprivacy: String
    /// What the account may do.
    package var roles: [String]
    /// When it was registered.
    package var createdAt: Instant

    /// Fills in everything.
    package init(
        id: UUID, observerId: UUID, email: String, name: String, displayName: String, attribution: String,
        state: String?, region: String?, licence: String, geoprivacy: String, roles: [String], createdAt: Instant
    ) {
        self.id = id
        self.observerId = observerId
        self.email = email
        self.name = name
        self.displayName = displayName
        self.attribution = attribution
        self.state = state
        self.region = region
        self.licence = licence
        self.geoprivacy = geoprivacy
        self.roles = roles
        self.createdAt = createdAt
    }

    /// Writes all of the account's members.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("observerId", observerId)
            writer.field("email", email)
            writer.field("name", name)
            writer.field("displayName", displayName)
            writer.field("attribution", attribution)
            writer.field("state", state)
            writer.field("region", region)
            writer.field("licence", licence)
            writer.field("geoprivacy", geoprivacy)
            writer.field("roles", roles)
            writer.field("createdAt", createdAt)
        }
    }
}

/// The roles of an account, as the answer to a grant tells them.
package struct AccountRolesView: Hashable, Sendable, JSONRepresentable {
    /// The account.
    package var id: UUID
    /// All its roles.
    package var roles: [String]

    /// Fills in everything.
    package init(id: UUID, roles: [String]) {
        self.id = id
        self.roles = roles
    }

    /// Writes the account's id and roles.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("roles", roles)
        }
    }
}
