import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Web
@testable import WebAPI

struct ReferenceRoutesTests {
    @Test func `the document is served`() async throws {
        try await withFolder(assets: false) { client in
            let answer = try await client.execute(uri: "/openapi.yaml", method: .get)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/yaml")
            let file = try Data(contentsOf: ProjectFile.url("openapi.yaml"))
            #expect(Data(answer.body.readableBytesView) == file)
        }
    }

    @Test func `without assets the page links the document and names the script`() async throws {
        try await withFolder(assets: false) { client in
            let page = try await client.execute(uri: "/docs", method: .get)
            #expect(page.status == .ok)
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(String(buffer: page.body).contains("href=\"/openapi.yaml\""))
            #expect(String(buffer: page.body).contains("scripts/docs-assets"))
            let asset = try await client.execute(uri: "/docs/swagger-ui.css", method: .get)
            #expect(asset.status == .notFound)
        }
    }

    @Test func `with assets the page loads them from here alone`() async throws {
        try await withFolder(assets: true) { client in
            let page = try await client.execute(uri: "/docs", method: .get)
            let policy = try #require(page.headers[.framing])
            #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
            #expect(!policy.contains("http"))
            let text = String(buffer: page.body)
            let links = text.matches(of: #/(?:src|href)="(\/[^"]+)"/#).map { String($0.1) }
            #expect(links.count == 4)
            for link in links {
                let answer = try await client.execute(uri: link, method: .get)
                #expect(answer.status == .ok, "\(link)")
                #expect(answer.headers[.cacheControl] == "public, max-age=270, must-revalidate")
            }
            // No script is in the page itself: the policy would keep it from running.
            #expect(!text.contains("<script>") && !text.contains(" onload="))
        }
    }

    @Test(arguments: ["index.html", "swagger-ui", "..%2Fsecret", "LICENSE"])
    func `nothing else of the folder is served`(name: String) async throws {
        try await withFolder(assets: true) { client in
            let answer = try await client.execute(uri: "/docs/\(name)", method: .get)
            #expect(answer.status == .notFound)
        }
    }

    /// Runs requests against the real pages, beside made-up assets or none.
    private func withFolder(assets: Bool, _ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "docs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for page in ["index.html", "missing.html", "start.js"] {
            try FileManager.default.copyItem(
                at: ProjectFile.url("share/docs/" + page), to: folder.appending(path: page))
        }
        if assets {
            let target = folder.appending(path: "swagger-ui")
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            for name in ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE"] {
                try Data(name.utf8).write(to: target.appending(path: name))
            }
        }
        let routes = ReferenceRoutes(document: ProjectFile.url("openapi.yaml").path, folder: folder.path)
        try await APIFixture().test([routes], body)
    }
}
