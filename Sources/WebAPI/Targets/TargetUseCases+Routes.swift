import Service
import Web

extension TargetUseCases {
    func routes(on ground: Ground) -> [any RouteGroup] {
        [
            TargetRoutes(targets: reader, log: ground.log),
            TargetPlanRoutes(targets: service, log: ground.log),
            OwnTargetRoutes(targets: own, log: ground.log),
        ]
    }
}
