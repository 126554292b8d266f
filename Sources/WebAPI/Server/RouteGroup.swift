package import Hummingbird

/// Routes that belong together: each group is a file of its own.
package protocol RouteGroup: Sendable {
    /// Adds the routes to the surfaces that they belong to.
    func addRoutes(to surfaces: RouteSurfaces)
}

/// A surface for each audience. What a surface lets through is decided here, once, and not route by route.
package struct RouteSurfaces {
    /// Outside `/v1`: for those who run the service. No token, no quota.
    package let operations: RouterGroup<APIContext>
    /// `/v1` for anybody: no token is looked at, so an answer cannot depend on who asks.
    package let anyone: RouterGroup<APIContext>
    /// `/v1` for attempts to sign up and to log in: a small quota for each client.
    package let credentials: RouterGroup<APIContext>
    /// `/v1` for who is signed in.
    package let signedIn: RouterGroup<APIContext>
    /// `/v1` for admins.
    package let admins: RouterGroup<APIContext>
}
