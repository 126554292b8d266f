import Service
import Web

extension LeavingUseCases {
    func routes() -> [any RouteGroup] {
        [LeavingRoutes(leaving: service)]
    }
}
