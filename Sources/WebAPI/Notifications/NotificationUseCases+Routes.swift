import Service
import Web

extension NotificationUseCases {
    func routes(on ground: Ground) -> [any RouteGroup] {
        [
            NotificationRoutes(notifications: service, log: ground.log),
            EventRoutes(notifications: service, streams: streams),
        ]
    }
}
