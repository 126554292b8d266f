import Domain
import HTTPTypes
package import Hummingbird

/// The whole HTTP face: every route behind the middleware of its audience.
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

    /// The public routes: those of the given groups, probes, and the explanations of problems.
    package func routes(_ groups: [any RouteGroup]) -> [Route] {
        let own: [any RouteGroup] = [HealthRoutes(readiness: readiness), ProblemRoutes()]
        return (groups + own).flatMap(\.routes)
    }

    /// Answers every method of every public path.
    package func responder(_ groups: [any RouteGroup]) -> RouterResponder<APIContext> {
        responder(of: routes(groups))
    }

    /// Answers on the operations listener.
    package func operations() -> RouterResponder<APIContext> {
        responder(of: OperationRoutes(readiness: readiness, metrics: metrics).routes)
    }

    private func responder(of routes: [Route]) -> RouterResponder<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.addMiddleware {
            RequestIdentification()
            RequestObservation(metrics: RequestMetrics(metrics))
        }
        if let origins = settings.allowedOrigins { router.add(middleware: CrossOrigin(origins)) }
        router.add(middleware: ProblemMiddleware(routes))
        let group = audiences(on: router)
        for route in routes {
            group(route.audience).on(RouterPath(route.template), method: route.method, use: route.handler)
        }
        for (path, routes) in Dictionary(grouping: routes, by: \.template) {
            reject(methodsBeside: routes.map(\.method), at: RouterPath(path), on: router)
        }
        return router.buildResponder()
    }

    /// The middleware of each audience. Admins share the quota of accounts.
    private func audiences(on router: Router<APIContext>) -> (Audience) -> RouterGroup<APIContext> {
        let addressing = ClientAddressing(trustedProxies: settings.trustedProxies)
        func limited(_ policy: RateLimitPolicy?, _ group: RouterGroup<APIContext>) -> RouterGroup<APIContext> {
            policy.map { group.add(middleware: RateLimiting(RateLimiter($0), addressing: addressing)) } ?? group
        }
        let anyone = limited(settings.clientLimit, router.group())
        let credentials = limited(settings.credentialLimit, router.group())
        let signedIn = limited(settings.accountLimit, router.group().add(middleware: Authentication(verifier)))
        let admins = signedIn.group().add(middleware: RoleRequirement(.admin))
        return { audience in
            switch audience {
            case .anyone: anyone
            case .credentials: credentials
            case .signedIn: signedIn
            case .admins: admins
            case .operators: router.group()
            }
        }
    }

    /// Answers 405 with `Allow` where a path exists but not with this method; Hummingbird's router says 404 to both.
    /// So each path gets a route for every method that it lacks: metrics and log then see the path's template.
    private func reject(
        methodsBeside methods: [HTTPRequest.Method], at path: RouterPath, on router: Router<APIContext>
    ) {
        var allowed = Set(methods)
        // The router makes HEAD of GET itself.
        if allowed.contains(.get) { allowed.insert(.head) }
        let header = HTTPRequest.Method.known.filter(allowed.contains).map(\.rawValue).joined(separator: ", ")
        for method in HTTPRequest.Method.known where !allowed.contains(method) {
            router.on(path, method: method) { (_, _) -> Response in
                throw ProblemDetails(.methodNotAllowed, headers: [.allow: header])
            }
        }
    }
}

/// The operator's settings of the HTTP face.
package struct APISettings: Sendable {
    /// What one account may ask for; nil for no limit.
    package var accountLimit: RateLimitPolicy?
    /// What one client may ask for without a token; nil for no limit.
    package var clientLimit: RateLimitPolicy?
    /// How often one client may try to sign up or log in; nil for no limit.
    package var credentialLimit: RateLimitPolicy?
    /// The number of the operator's own proxies in front of the service.
    package var trustedProxies: Int
    /// The origins whose pages may use the service from a browser; nil for none but its own.
    package var allowedOrigins: AllowedOrigins?

    /// Sets what differs from the defaults: 1,200 requests a minute an account, 600 a client without one, 20 attempts
    /// to log in.
    package init(
        accountLimit: RateLimitPolicy? = RateLimitPolicy(name: "account", quota: 1200, window: .seconds(60)),
        clientLimit: RateLimitPolicy? = RateLimitPolicy(name: "client", quota: 600, window: .seconds(60)),
        credentialLimit: RateLimitPolicy? = RateLimitPolicy(name: "credentials", quota: 20, window: .seconds(60)),
        trustedProxies: Int = 0
    ) {
        self.accountLimit = accountLimit
        self.clientLimit = clientLimit
        self.credentialLimit = credentialLimit
        self.trustedProxies = trustedProxies
    }
}
