import HTTPTypes

/// The methods and paths of some routes, to recognise their requests before they are routed.
struct RoutePaths: Sendable {
    private let routes: [(method: String, template: String)]

    /// - Parameter isIncluded: chooses among the routes.
    init(_ routes: [Route], where isIncluded: (Route) -> Bool) {
        self.routes = routes.filter(isIncluded).map { ($0.method.rawValue, $0.template) }
    }

    /// - Parameter target: the path of a request, with or without a query.
    func contains(_ method: String, _ target: String) -> Bool {
        routes.contains { $0.method == method && Self.matches(target, $0.template) }
    }

    /// A parameter stands for one part of the path.
    private static func matches(_ target: String, _ template: String) -> Bool {
        var (target, template) = (target.utf8[...], template.utf8[...])
        while let byte = template.popFirst() {
            if byte == UInt8(ascii: "{") {
                template = template.drop { $0 != UInt8(ascii: "}") }.dropFirst()
                let rest = target.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
                guard rest.startIndex != target.startIndex else { return false }
                target = rest
            } else if target.popFirst() != byte {
                return false
            }
        }
        return target.first == nil || target.first == UInt8(ascii: "?")
    }
}
