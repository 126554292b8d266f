import Crypto
package import Domain
import EventLog
package import FoundationEssentials
import ReadModels
import Vault

/// An account as its owner sees it.
package struct AccountProfile: Sendable {
    package let id: AccountID
    /// The pseudonym under which its records are public.
    package let observer: ObserverID
    package let settings: AccountSettings
    /// The roles it has now.
    package let roles: Set<Role>
    /// Whether the owner has proved to receive mail at the address.
    package let isVerified: Bool
    /// Nil if it is not suspended now.
    package let suspension: Suspension?
    /// The e-mail address, with its domain in ASCII.
    package let email: String
    /// The person's name, which is never public.
    package let name: String
    /// The public name: as chosen, or "birder 4f2a".
    package let displayName: String
    /// When it was registered.
    package let createdAt: Date
    /// The stream's version.
    package let version: Int
    /// The position of the event that made this version.
    package let position: Int64
}

/// A sign-up as a request asks for it, value by value checked.
package struct SignUp: Sendable {
    /// The e-mail address; no other account may have it.
    package var email: EmailAddress
    /// The password in the clear; only its hash is kept.
    package var password: String
    /// The person's name, which is never public.
    package var name: PersonName
    /// The public name; nil for the one that the pseudonym gives.
    package var displayName: DisplayName?
    /// The name under which public records appear.
    package var attribution = Attribution.displayName
    /// The state, nil for elsewhere.
    package var state: StateCode?
    /// The region that targets are wanted for.
    package var region: RegionCode?
    /// The licence of sightings that name none. CC BY 4.0 unless the person chooses another: it lets research use them,
    /// and credits the observer.
    package var licence = Licence.by
    /// The geoprivacy of sightings that name none.
    package var geoprivacy = Geoprivacy.open
    /// The person's statement of being old enough.
    package var oldEnough: Bool

    package init(email: EmailAddress, password: String, name: PersonName, oldEnough: Bool) {
        self.email = email
        self.password = password
        self.name = name
        self.oldEnough = oldEnough
    }

    /// The request without the password, in canonical form.
    var canonical: CanonicalText {
        let members = CanonicalText { writer in
            writer.field("attribution", attribution)
            writer.field("state", state)
            writer.field("region", region)
            writer.field("licence", licence)
            writer.field("geoprivacy", geoprivacy)
        }
        return members + CanonicalText(email.typed, name.typed, displayName?.typed, "\(oldEnough)")
    }
}

/// Signing up, one's own account, and what admins do with accounts.
package struct AccountService: Sendable {
    let store: StreamStore
    let contents: ContentStore
    let reservations: Reservations
    let passwords: PasswordHasher
    let policy: PasswordPolicy
    let places: PlaceIndex
    let signer: CommandSigner
    let mail: MailQueue
    let directory: AccountDirectory
    let admins: AccountQueries
    let claims: Claims
    let quotas: UseCaseQuotas
    let now: @Sendable () -> Instant

    /// Signs a person up, and queues the mail with a code that verifies the address. If two sign up with
    /// the same e-mail address at once, one succeeds.
    /// - Throws: `Faults`, ``CommandError`` (such as `emailTaken`), ``QuotaRejection``; what the database throws.
    package func register(_ signUp: SignUp, key: UUID) async throws -> AccountProfile {
        try await quotas.signUps.counting(TurnClient.address.map { .address($0) }) {
            try await signedUp(signUp, key: key)
        }
    }

    private func signedUp(_ signUp: SignUp, key: UUID) async throws -> AccountProfile {
        let command = signer.identity(
            account: UUID(bytes: []), command: "RegisterAccount", key: key, request: signUp.canonical, actor: nil)
        let id = CommandID.stream(kind: StreamKind.account.rawValue, of: command.id)
        let outcome: Outcome<AccountState> = try await store.begin(id, command) {
            try AccountDecider.decide(.register(try await prepare(signUp, id)), AccountState())
        }
        guard outcome.current.state.registration != nil else { throw CommandError.gone }
        if outcome.isRepeat { try await checkSame(signUp.password, as: outcome.stored) }
        if !outcome.current.state.isVerified {
            let mailID = CommandID.stream(kind: "mail", of: command.id)
            try await mail.queue(QueuedMail(id: mailID, .verification, account: AccountID(id), to: signUp.email))
        }
        return try await profile(outcome.stored)
    }

    /// The fingerprint in the log covers the whole sign-up except the password.
    private func checkSame(_ password: String, as stored: Stored<AccountState>) async throws {
        guard let record = try await contents.content(of: stored.id, asOf: stored.position)[.password]
        else { return }
        guard try await passwords.check(password, against: record) else { throw CommandError.keyReused }
    }

    /// All faults of a sign-up beyond the form of its single values.
    package func faults(
        password: String?, email: EmailAddress?, state: StateCode?, region: RegionCode?, oldEnough: Bool?
    ) -> Faults {
        var faults = Faults()
        if let password { _ = faults.check("/password") { try policy.password(password, email: email) } }
        let stateRegion = state.flatMap { self.region(of: $0) }
        if state != nil, stateRegion == nil {
            faults.add("/state", RuleViolation(.range, "must be the code of a state or province, such as US-WA"))
        }
        if let region, places.regions[region] == nil {
            faults.add("/region", .unknownRegion)
        } else if let region, let stateRegion, region != stateRegion {
            faults.add("/region", .otherRegion)
        }
        if oldEnough == false {
            faults.add("/oldEnough", RuleViolation(.range, "must be true: the statement of being old enough"))
        }
        return faults
    }

    func region(of state: StateCode) -> RegionCode? {
        places.regions.values.first { $0.members.contains(state) }?.code
    }

    private func prepare(_ signUp: SignUp, _ id: UUID) async throws -> RegisterAccount {
        try faults(
            password: signUp.password, email: signUp.email, state: signUp.state, region: signUp.region,
            oldEnough: signUp.oldEnough
        ).throwIfAny()
        if signUp.email.spellings.count > 1 { try await reservations.rejectTaken(signUp.email, except: id) }
        return RegisterAccount(
            observer: ObserverID(CommandID.stream(kind: "observer", of: id)), email: signUp.email, name: signUp.name,
            displayName: signUp.displayName, passwordRecord: try await passwords.record(of: signUp.password),
            state: signUp.state, stateRegion: signUp.state.flatMap { region(of: $0) }, region: signUp.region,
            licence: signUp.licence, geoprivacy: signUp.geoprivacy, attribution: signUp.attribution,
            oldEnough: signUp.oldEnough)
    }

    /// An account as its owner sees it.
    /// - Throws: ``CommandError/notFound``; what the database throws.
    package func profile(of account: AccountID) async throws -> AccountProfile {
        guard let stored: Stored<AccountState> = try await store.load(account.uuid) else { throw CommandError.notFound }
        return try await profile(stored)
    }

    func profile(_ stored: Stored<AccountState>) async throws -> AccountProfile {
        guard let observer = stored.state.registration?.observer, let settings = stored.state.settings else {
            throw CommandError.gone
        }
        let content = try await contents.content(of: stored.id, asOf: stored.position)
        // A name that still holds was written again when former ones were erased.
        var name = content[.name]
        if name == nil { name = try await contents.content(of: stored.id)[.name] }
        let now = now()
        return AccountProfile(
            id: AccountID(stored.id), observer: observer, settings: settings, roles: stored.state.roles,
            isVerified: stored.state.isVerified,
            suspension: stored.state.suspension.flatMap { $0.holds(at: now) ? $0 : nil },
            email: content[.email].map(EmailAddress.shown) ?? "", name: name ?? "",
            displayName: content[.displayName] ?? observer.defaultName, createdAt: stored.createdAt,
            version: stored.version, position: stored.position)
    }

    /// The account that holds an e-mail address.
    /// - Throws: what the database throws.
    package func account(holding email: EmailAddress) async throws -> AccountID? {
        try await reservations.holder(of: email).map(AccountID.init)
    }
}
