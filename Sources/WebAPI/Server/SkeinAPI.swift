internal import Domain
package import Hummingbird

/// The whole HTTP face: surfaces, their middleware, and the groups of routes on them.
package struct SkeinAPI: Sendable {
    /// Verifies access tokens.
    package var verifier: any AccessTokenVerifying
    /// Where metrics go.
    package var metrics: MetricRegistry
    /// Says whether the service can do its work.
    package var readiness: any ReadinessReporting
    /// Quotas and addresses.
    package var settings: APISettings

    /// Puts together what all routes share.
    package init(
        verifier: any AccessTokenVerifying, metrics: MetricRegistry, readiness: any ReadinessReporting,
        settings: APISettings = APISettings()
    ) {
        self.verifier = verifier
        self.metrics = metrics
        self.readiness = readiness
        self.settings = settings
    }

    /// A router with the given groups, the operators' routes and the catalogue of problems.
    package func router(_ groups: [any RouteGroup]) -> Router<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.addMiddleware {
            RequestIdentification()
            RequestObservation(metrics: RequestMetrics(metrics))
        }
        if let origins = settings.allowedOrigins { router.add(middleware: CrossOrigin(origins)) }
        router.add(middleware: ProblemMiddleware())
        let surfaces = surfaces(on: router)
        let own: [any RouteGroup] = [OperationRoutes(readiness: readiness, metrics: metrics), ProblemRoutes()]
        for group in own + groups { group.addRoutes(to: surfaces) }
        return router
    }

    /// The responder of ``router(_:)``, with an answer for every method.
    package func responder(_ groups: [any RouteGroup]) -> RouterResponder<APIContext> {
        let router = router(groups)
        MethodTable.complete(router)
        return router.buildResponder()
    }

    private func surfaces(on router: Router<APIContext>) -> RouteSurfaces {
        let addressing = ClientAddressing(trustedProxies: settings.trustedProxies)
        func limited(_ policy: RateLimitPolicy?, _ group: RouterGroup<APIContext>) -> RouterGroup<APIContext> {
            policy.map { group.add(middleware: RateLimiting(RateLimiter($0), addressing: addressing)) } ?? group
        }
        let authentication = Authentication(verifier)
        let signedIn = limited(settings.accountLimit, router.group("v1").add(middleware: authentication))
        return RouteSurfaces(
            operations: router.group(),
            anyone: limited(settings.clientLimit, router.group("v1")),
            credentials: limited(settings.credentialLimit, router.group("v1")),
            signedIn: signedIn,
            admins: signedIn.group().add(middleware: RoleRequirement(.admin)))
    }
}
