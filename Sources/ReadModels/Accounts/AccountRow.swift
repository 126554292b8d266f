package import Domain
internal import Postgres

/// An account as it is now. Names and the e-mail address are content beside the log.
package struct AccountRow: Hashable, Sendable {
    /// The account's own id, which is not public.
    package let id: AccountID
    /// The pseudonym that its public records carry; nil where the registration was redacted.
    package let observer: ObserverID?
    /// The state; nil for elsewhere.
    package let state: StateCode?
    /// The region that targets are wanted for.
    package let region: RegionCode?
    /// The licence of sightings that name none; nil where the registration was redacted.
    package let licence: Licence?
    /// The geoprivacy of sightings that name none; nil where the registration was redacted.
    package let geoprivacy: Geoprivacy?
    /// The name under which public records appear; nil where the registration was redacted.
    package let attribution: Attribution?
    /// What the account may do, in alphabetical order.
    package let roles: [Role]
    /// When the person signed up.
    package let createdAt: Instant
    /// Version of the newest event.
    package let version: Int
    /// Position of the newest event.
    package let position: Int64

    static let columns: SQL = """
        id, observer, state, region, licence, geoprivacy, attribution, roles, created_at, version, position
        """

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.id("id")
        observer = try row.id(optional: "observer")
        state = try row.code("state")
        region = try row.code("region")
        licence = try row.word("licence")
        geoprivacy = try row.word("geoprivacy")
        attribution = try row.word("attribution")
        // A role that this version does not know gives no right.
        roles = try row.decode("roles", as: [String].self).compactMap { Role(rawValue: $0) }
        createdAt = try row.required(row.instant("created_at"), "created_at")
        version = try row.decode("version")
        position = try row.decode("position")
    }
}
