/// The commands of an account.
package enum AccountCommand: Equatable, Sendable {
    case register(RegisterAccount)
    case change(ChangeAccount, AccountLookups)
    case grant(Role)
    case revoke(Role, RevocationReason)
    case suspend(Suspension)
    case reinstate(ReinstatementReason)
    case removeDisplayName(DisplayNameReason)
    /// The owner has proved to receive mail at an address.
    case verify(EmailAddress, held: EmailAddress?)
    /// The owner has proved to receive mail at another address, which the account is to have.
    case changeEmail(EmailAddress, held: EmailAddress?)
    /// - Parameter record: what the new password can be checked against; never the password.
    case changePassword(record: String)
    /// The owner leaves.
    case erase(LeavingChoice)
}

/// Signs a person up.
package struct RegisterAccount: Equatable, Sendable {
    /// The pseudonym under which the person's records are public.
    package var observer: ObserverID
    /// The address for mail; unique, ignoring case.
    package var email: EmailAddress
    /// The full name, which stays private.
    package var name: PersonName
    /// The public name, nil for the default one.
    package var displayName: DisplayName?
    /// The record that a password can be checked against; never the password.
    package var passwordRecord: String
    /// The state, nil for elsewhere.
    package var state: StateCode?
    /// The state's region, as looked up; nil without a state.
    package var stateRegion: RegionCode?
    /// The region whose targets the person wants; the state's region by default.
    package var region: RegionCode?
    /// The licence of sightings that name none.
    package var licence: Licence
    /// The geoprivacy of sightings that name none.
    package var geoprivacy: Geoprivacy
    /// The name under which public records appear.
    package var attribution: Attribution
    /// The person's statement of being old enough.
    package var oldEnough: Bool

    package init(
        observer: ObserverID, email: EmailAddress, name: PersonName, displayName: DisplayName? = nil,
        passwordRecord: String, state: StateCode? = nil, stateRegion: RegionCode? = nil, region: RegionCode? = nil,
        licence: Licence, geoprivacy: Geoprivacy, attribution: Attribution, oldEnough: Bool
    ) {
        self.observer = observer
        self.email = email
        self.name = name
        self.displayName = displayName
        self.passwordRecord = passwordRecord
        self.state = state
        self.stateRegion = stateRegion
        self.region = region
        self.licence = licence
        self.geoprivacy = geoprivacy
        self.attribution = attribution
        self.oldEnough = oldEnough
    }
}

extension RegisterAccount {
    /// All rules that the values break in combination.
    package var faults: Faults {
        var faults = Faults()
        if let region, let stateRegion, region != stateRegion {
            faults.add("/region", .otherRegion)
        }
        if !oldEnough {
            faults.add("/oldEnough", RuleViolation(.range, "must be true: the statement of being old enough"))
        }
        return faults
    }
}

/// Why an account command is rejected.
package enum AccountRejection: Error, Equatable, Sendable {
    /// There is no such account.
    case notFound
    /// The stream already holds an account.
    case alreadyRegistered
    /// It was erased.
    case erased
    /// The role `birder` belongs to every account and cannot be revoked.
    case birderIsForEveryone
    /// The address that was proved is not the account's any longer.
    case otherAddress
    /// Admins do not suspend themselves.
    case ownAccount
    /// No other account is an admin.
    case lastAdmin
    /// Values contradict the rules.
    case invalid(Faults)
}
