import Domain
import FoundationEssentials
package import Logging
import Postgres
import ReadModels
import Vault

/// The use cases of accounts: signing up, sessions, passwords, API keys and favourites.
package struct AccountUseCases: Sendable {
    package let service: AccountService
    package let sessions: Sessions
    package let sessionUpkeep: SessionUpkeep
    package let accessTokens: AccessTokens
    package let keys: AccountKeys
    package let callers: Callers
    package let passwords: Passwords
    package let verifications: EmailVerifications
    package let favourites: FavouriteService
    let verified: VerifiedAccounts
    private let mail: MailQueue
    private let ground: Ground

    /// - Parameter limits: the quotas, whose counters all interfaces of the service share.
    /// - Throws: what reading the common passwords throws.
    init(_ ground: Ground, passwords hasher: PasswordHasher, quotas limits: UseCaseLimits) throws {
        self.ground = ground
        let (pool, store, contents) = (ground.pool, ground.store, ground.contents)
        let policy = try PasswordPolicy(contentsOf: ground.share + "/passwords/common.txt")
        let (records, refreshTokens) = (PasswordRecords(database: pool), RefreshTokens(database: pool))
        let stored = StoredAccounts(store: store, passwords: records, directory: ground.directory)
        let (quotas, apiKeys) = (UseCaseQuotas(limits), ApiKeys(database: pool))
        verified = VerifiedAccounts(store)
        mail = MailQueue(mails: Mails(database: pool), codes: MailCodes(database: pool))
        service = AccountService(
            store: store, contents: contents, reservations: ground.reservations, passwords: hasher, policy: policy,
            places: ground.places.index, signer: ground.signer, mail: mail, directory: ground.directory,
            admins: AccountQueries(pool), claims: Claims(database: pool), quotas: quotas, now: ground.now)
        accessTokens = AccessTokens(keys: SigningKeys(database: pool), now: Ground.date)
        sessions = Sessions(
            accounts: stored, passwords: hasher, refreshTokens: refreshTokens, accessTokens: accessTokens,
            guesses: quotas.guesses, now: Ground.date)
        sessionUpkeep = SessionUpkeep(
            accessTokens: accessTokens, refreshTokens: refreshTokens, logger: ground.logger, now: Ground.date)
        keys = AccountKeys(keys: apiKeys, accounts: stored, now: Ground.date)
        callers = Callers(tokens: accessTokens, keys: keys, directory: ground.directory, now: ground.now)
        passwords = Passwords(
            store: store, contents: contents, records: records, hasher: hasher, policy: policy, signer: ground.signer,
            mail: mail, sessions: sessions, keys: apiKeys, quotas: quotas)
        verifications = EmailVerifications(
            store: store, contents: contents, signer: ground.signer, mail: mail, reservations: ground.reservations,
            passwords: passwords, mails: quotas.mails)
        favourites = FavouriteService(favourites: Favourites(database: pool), catalogue: ground.catalogue)
    }

    /// Returns a mailer that sends the queued mails while it runs.
    package func mailer(_ settings: MailSettings, logger: Logger) -> Mailer {
        Mailer(
            queue: mail, reservations: ground.reservations, contents: ground.contents, settings: settings,
            logger: logger)
    }
}
