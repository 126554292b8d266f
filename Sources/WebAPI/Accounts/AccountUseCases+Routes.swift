import Service
import Web

extension AccountUseCases {
    func routes(on ground: Ground) -> [any RouteGroup] {
        [
            AccountRoutes(accounts: service, log: ground.log),
            AdministrationRoutes(accounts: service, log: ground.log),
            SessionRoutes(sessions: sessions, accounts: service),
            VerificationRoutes(verifications: verifications),
            PasswordRoutes(passwords: passwords),
            KeyRoutes(keys: keys),
            FavouriteRoutes(favourites: favourites),
        ]
    }
}
