import Domain
import HTTPTypes
import Hummingbird
import Service

/// Puts routes behind the middleware of their audiences.
package struct RouteAssembly: Sendable {
    private let verifier: any AccessTokenVerifying
    private let metrics: MetricRegistry
    private let settings: APISettings

    /// - Parameters:
    ///   - verifier: verifies access tokens.
    ///   - metrics: where metrics go.
    ///   - settings: quotas and addresses.
    package init(verifier: any AccessTokenVerifying, metrics: MetricRegistry, settings: APISettings) {
        self.verifier = verifier
        self.metrics = metrics
        self.settings = settings
    }

    /// Answers every method of every path of some routes.
    /// - Parameter host: the host that clients must name; nil for any.
    package func responder(of routes: [Route], only host: String? = nil) -> RouteResponder {
        let router = Router(context: APIContext.self)
        router.addMiddleware {
            RequestIdentification()
            TransportSecurity(trustedProxies: settings.trustedProxies)
            RequestObservation(metrics: RequestMetrics(metrics))
        }
        if let origins = settings.allowedOrigins { router.add(middleware: CrossOrigin(origins)) }
        router.add(middleware: Compression())
        router.add(middleware: ProblemMiddleware(routes))
        if let host { router.add(middleware: OwnHost(host)) }
        let photoRoutes = Set(routes.filter(\.takesImage).map(\.name))
        let group = audiences(on: router, photoRoutes: photoRoutes)
        router.add(middleware: CanonicalPaths())
        for route in routes {
            group(route).on(RouterPath(route.template), method: route.method, use: route.handler)
            guard route.method == .get else { continue }
            group(route).on(RouterPath(route.template), method: .head) { request, context in
                try await route.handler(request, context).withoutBody
            }
        }
        for (path, routes) in Dictionary(grouping: routes, by: \.template) {
            reject(methodsBeside: routes.map(\.method), at: RouterPath(path), on: router)
        }
        return RouteResponder(router.buildResponder(), routes)
    }

    /// The middleware of each audience. Moderators, researchers and admins share the quota of accounts.
    private func audiences(
        on router: Router<APIContext>, photoRoutes: Set<String>
    ) -> (Route) -> RouterGroup<APIContext> {
        let addressing = ClientAddressing(trustedProxies: settings.trustedProxies)
        router.add(middleware: ClientTurns(addressing: addressing))
        func limited(_ limiters: [RateLimiter], _ group: RouterGroup<APIContext>) -> RouterGroup<APIContext> {
            limiters.isEmpty ? group : group.add(middleware: RateLimiting(limiters, addressing: addressing))
        }
        let clients = settings.clientLimit.map { RateLimiter($0) }
        if let clients { router.add(middleware: RejectionLimiting(limiter: clients, addressing: addressing)) }
        let anyone = limited(clients.map { [$0] } ?? [], router.group())
        let credentials = limited(
            settings.credentialLimit.map { [RateLimiter($0)] } ?? [], router.group())
        let recovery = limited(
            settings.recoveryLimit.map { [RateLimiter($0)] } ?? [], router.group())
        let callers = router.group().add(middleware: Authentication(verifier))
        let limits = settings.accountLimits
        if let accounts = limits.limiting(addressing, photos: settings.photoLimit, photoRoutes: photoRoutes) {
            callers.add(middleware: accounts)
        }
        func signedIn(_ audience: Audience) -> RouterGroup<APIContext> {
            callers.group().add(middleware: KeyScopes(audience: audience))
        }
        let (owners, scripts) = (signedIn(.personal), signedIn(.signedIn))
        let readers = callers.group().add(middleware: KeyScopes(audience: .signedIn, scope: .read))
        let moderators = signedIn(.moderators).add(middleware: RoleRequirement(.moderator, .admin))
        let researchers = signedIn(.researchers).add(middleware: RoleRequirement(.researcher, .admin))
        let admins = signedIn(.admins).add(middleware: RoleRequirement(.admin))
        return { route in
            switch route.audience {
            case .anyone: anyone
            case .credentials: credentials
            case .recovery: recovery
            case .signedIn: route.scope == .read ? readers : scripts
            case .personal: owners
            case .moderators: moderators
            case .researchers: researchers
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
        // Every GET route also answers HEAD.
        if allowed.contains(.get) { allowed.insert(.head) }
        let header = HTTPRequest.Method.known.filter(allowed.contains).map(\.rawValue).joined(separator: ", ")
        for method in HTTPRequest.Method.known where !allowed.contains(method) {
            router.on(path, method: method) { (_, _) -> Response in
                throw ProblemDetails(.methodNotAllowed, headers: [.allow: header])
            }
        }
    }
}
