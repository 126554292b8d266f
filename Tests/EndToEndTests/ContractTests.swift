import Foundation
import NIOHTTP1
import TestSupport
import Testing
import Yams

extension EndToEndTests {
    @Test("every path of the document is served, with its methods and no others")
    func methods() async throws {
        let text = try String(contentsOfFile: PackageRoot.path + "/openapi.yaml", encoding: .utf8)
        let document = try #require(try Yams.load(yaml: text) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        let known: Set = ["get", "post", "patch", "put", "delete"]
        #expect(paths.count > 15)
        for (path, item) in paths {
            let described = Set(item.keys).intersection(known).map { $0.uppercased() }
            let filled = path.replacingOccurrences(of: "{id}", with: UUID().uuidString.lowercased())
                .replacingOccurrences(of: "{slug}", with: "not-found")
                .replacingOccurrences(of: "{asset}", with: "start.js")
            // No route takes PUT: the answer lists what it does take.
            let answer = try await ServedSkein.required.send(.PUT, filled)
            #expect(answer.status == 405, "\(path)")
            let allowed = (answer.header("Allow") ?? "").split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            #expect(Set(allowed).subtracting(["HEAD", "OPTIONS"]) == Set(described), "\(path)")
        }
    }
}
