package import Web

/// The whole API: every route behind the middleware of its audience.
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
    package func responder(_ groups: [any RouteGroup]) -> RouteResponder {
        assembly.responder(of: routes(groups))
    }

    /// Answers on the operations listener.
    /// - Parameter host: the host that it listens on.
    package func operations(on host: String) -> RouteResponder {
        assembly.responder(of: OperationRoutes(readiness: readiness, metrics: metrics).routes, only: host)
    }

    private var assembly: RouteAssembly { RouteAssembly(verifier: verifier, metrics: metrics, settings: settings) }
}
