import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import Web

struct RoutePathsTests {
    @Test func `requests are recognised by method and path`() {
        func route(_ method: HTTPRequest.Method, _ template: String) -> Route {
            Route(method, template, .signedIn) { _, _ in Response(status: .ok) }
        }
        let paths = RoutePaths([
            route(.post, "/v1/a/{id}/photos"), route(.patch, "/v1/uploads/{id}"), route(.get, "/v1/left/out"),
        ]) { !$0.template.hasPrefix("/v1/left") }
        for target in ["/v1/a/7/photos", "/v1/a/7/photos?b=/c", "/v1/a/%2F/photos"] {
            #expect(paths.contains("POST", target), "\(target)")
        }
        for target in [
            "/v1/a/7/photos/", "/v1/a//photos", "/v1/a/7/8/photos", "/v1/a/7/photo", "/v1/a/7?/photos",
            "/v1/a/7/photosx", "/v1/a?b=/photos", "", "/v1/uploads/7",
        ] {
            #expect(!paths.contains("POST", target), "\(target)")
        }
        #expect(paths.contains("PATCH", "/v1/uploads/7") && !paths.contains("PATCH", "/v1/uploads/"))
        #expect(!paths.contains("GET", "/v1/left/out"))
    }

    @Test func `photos have time to arrive, whatever their declared type, and events last`() throws {
        let routes = try ServedRoutes.list.get()
        #expect(routes.filter(\.isLasting).map(\.name) == ["GET /v1/me/events"])
        let images = ["POST /v1/me/findings/{id}/photos", "PATCH /v1/me/uploads/{id}"]
        #expect(Set(routes.filter(\.takesImage).map(\.name)) == Set(images))
    }
}
