internal import HTTPTypes
package import Hummingbird

/// Answers 405 with `Allow` where a path exists but not with this method.
///
/// Hummingbird's router says 404 to both. So each path gets a route for every method that it does not have: the trie
/// finds it as fast as any other, and metrics and log see the path's template.
package enum MethodTable {
    /// Completes a router. Routes that are added later are not seen.
    package static func complete(_ router: Router<APIContext>) {
        let routes = Dictionary(grouping: router.routes, by: \.path.description)
        for (_, routes) in routes {
            guard let path = routes.first?.path else { continue }
            var allowed = Set(routes.map(\.method))
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
}
