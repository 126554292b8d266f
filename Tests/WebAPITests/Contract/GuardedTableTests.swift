import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Service
import Testing

@testable import Web

/// Every member of a guarded record or photo is constant, has few values, or is named in `docs/privacy.md`; a new one
/// fails here until it is in the table.
struct GuardedTableTests {
    /// More days than a month has.
    private static let later = 40

    @Test func `every member of every guarded thing is in the table`() async throws {
        try await ServedRoutes.run { served in
            let found = try await Self.members(served)
            let privacy = try Self.publicMembers()
            for (member, values) in found {
                guard let exposure = Self.exposure(of: member) else {
                    Issue.record("\(member) is not in the table")
                    continue
                }
                switch exposure {
                case .only(let allowed): #expect(values.isSubset(of: allowed), "\(member): \(values)")
                case .named(let name): #expect(privacy.contains("`\(name)`"), "docs/privacy.md does not name \(name)")
                }
            }
            for member in GuardedExposure.members.keys {
                #expect(found.keys.contains { $0 == member || $0.hasPrefix(member) }, "no answer has \(member)")
            }
            // Those that were typed differ in every way.
            #expect(found["sighting.countRange"] == [.string("1"), .string("11+"), .null])
        }
    }

    @Test func `every public route and filter that selects guarded things is in the table`() async throws {
        try await ServedRoutes.run { served in
            let routes = served.routes.filter {
                $0.audience == .anyone && $0.method == .get && $0.template.hasPrefix("/v1/")
            }
            let classified = GuardedExposure.routesWithout.union(GuardedExposure.filters.keys)
            #expect(Set(routes.map(\.name)) == classified)
        }
        let document = try OpenAPIDocument()
        for operation in document.operations {
            guard let filters = GuardedExposure.filters[operation.name] else { continue }
            let parameters = try (operation.node["parameters"]?.items ?? []).map(document.resolve)
                .filter { $0["in"] == .string("query") }
            #expect(Set(parameters.compactMap { $0["name"]?.text }) == Set(filters.keys), "\(operation.name)")
        }
    }

    private static func exposure(of member: String) -> GuardedExposure? {
        GuardedExposure.members[member]
            ?? GuardedExposure.members.first { $0.key.hasSuffix(".") && "\(member).".hasPrefix($0.key) }?.value
    }

    /// The section of `docs/privacy.md` that names what is public.
    private static func publicMembers() throws -> String {
        let text = try String(contentsOf: ProjectFile.url("docs/privacy.md"), encoding: .utf8)
        let section = text.components(separatedBy: "\n### What guarded records and photos show\n").dropFirst().first
        return try #require(section?.components(separatedBy: "\n#").first)
    }

    /// The values of all members in the public answers about guarded sightings that differ in whatever observers type.
    private static func members(_ served: ServedRoutes) async throws -> [String: Set<JSONValue>] {
        var found: [String: Set<JSONValue>] = [:]
        let stranger = Caller.anonymous(served)
        func read(_ path: String, accept: String? = nil) async throws -> TestResponse {
            let answer = try await stranger.read(
                path, daysAhead: later, headers: accept.map { [.accept: $0] } ?? [:])
            #expect(answer.status == .ok, "\(path)")
            return answer
        }
        var taxa: Set<String> = []
        for guarded in try await Self.sightings(served) {
            let record = try await read("/v1/sightings/\(guarded.id)").json
            Self.walk(record, guarded.isWithdrawn ? "notice" : "sighting", into: &found)
            let history = try await read("/v1/sightings/\(guarded.id)/history")
            for entry in try history["items"]?.items ?? [] { Self.walk(entry, "history", into: &found) }
            for change in try history["items.0.changes"]?.items ?? [] where !guarded.isWithdrawn {
                let field = try #require(change["field"]?.string)
                guard field != "taxonId" else { continue }
                Self.walk(try #require(change["after"]), "sighting.\(field)", into: &found)
            }
            taxa.insert(guarded.taxon)
        }
        for taxon in taxa {
            let records = try await read("/v1/sightings?taxon=\(taxon)")["items"]?.items ?? []
            #expect(!records.isEmpty)
            for record in records { Self.walk(record, "sighting", into: &found) }
            let features = try await read("/v1/taxa/\(taxon)/map?zoom=20")["features"]?.items ?? []
            for feature in features { Self.walk(feature, "map", into: &found) }
            let lines = String(
                buffer: try await read("/v1/taxa/\(taxon)/map", accept: "application/geo+json-seq").body)
            for line in lines.split(separator: "\u{1e}") {
                Self.walk(try JSONValue(parsing: Array(line.utf8)), "map", into: &found)
            }
            let gallery = try await read("/v1/taxa/\(taxon)/gallery")["items"]?.items ?? []
            #expect(!gallery.isEmpty)
            for photo in gallery {
                let id = try #require(photo["id"]?.string)
                Self.walk(photo, "photo", into: &found)
                Self.walk(try await read("/v1/photos/\(id)").json, "photo", into: &found)
            }
            let regional = try await read("/v1/taxa/\(taxon)/gallery?region=pacific-northwest")
            #expect(try regional["items"]?.items.isEmpty == true, "a region selects guarded photos")
            let day = Instant.now.date().adding(days: later - 2)
            let dated = try await read("/v1/taxa/\(taxon)/gallery?asOf=\(day)")
            #expect(try dated["items"]?.items.isEmpty == true, "a day selects guarded photos")
            let first = try #require(gallery.first?["id"]?.string)
            let alone = try await stranger.read("/v1/photos/\(first)?asOf=\(day)", daysAhead: later)
            #expect(alone.status == .notFound, "a day shows a guarded photo")
        }
        return found
    }

    private static func walk(_ value: JSONValue, _ path: String, into found: inout [String: Set<JSONValue>]) {
        switch value {
        case .object(let members):
            for member in members { walk(member.value, "\(path).\(member.name)", into: &found) }
        case .array(let items) where !items.isEmpty:
            for item in items { walk(item, path, into: &found) }
        default: found[path, default: []].insert(value)
        }
    }

    private struct Guarded {
        let id: String
        let taxon: String
        let isWithdrawn: Bool
    }

    private static func sightings(_ served: ServedRoutes) async throws -> [Guarded] {
        let moderator = try await Caller.register(served, role: .moderator)
        let typed = [
            (#""count":37,"confidence":3"#, #","protocol":"target","uncertaintyMetres":20000,"notes":"at the mill""#),
            (#""count":1,"confidence":10"#, #","protocol":"stationary","captive":true,"licence":"CC0-1.0""#),
            (#""count":null,"confidence":1"#, #","geoprivacy":"private","protocol":"travelling""#),
            (#""count":5,"confidence":8"#, ""),
        ]
        var guarded: [Guarded] = []
        for (index, (numbers, more)) in typed.enumerated() {
            let owner = try await Caller.register(served)
            let body = Caller.sighting(index == 2 ? "Pacific Wren" : "Spotted Owl", more: more)
                .replacing(#""count":2,"confidence":8"#, with: numbers)
            let sent = try await owner.submit(body)
            let id = try #require(try sent.text("id"))
            let isWithdrawn = index == 3
            if isWithdrawn {
                _ = try await owner.send(.delete, "/v1/me/findings/\(id)", headers: [.ifMatch: "*"])
            } else {
                let added = try await SampleRequests.addPhoto(to: id, by: owner)
                let decision = #"{"decision":"approve"}"#
                for path in ["photos/\(try #require(try added.text("id")))", "sightings/\(id)"] {
                    let answer = try await moderator.send(
                        .post, "/v1/moderation/\(path)/decisions", headers: [.ifMatch: "*"], json: decision)
                    #expect(answer.status == .ok, "\(String(buffer: answer.body))")
                }
            }
            try await served.followToHead()
            let publicID = try await owner.send(.get, "/v1/me/findings/\(id)").text("publicId")
            guarded.append(
                Guarded(
                    id: try #require(publicID), taxon: try #require(try sent.text("taxon.id")),
                    isWithdrawn: isWithdrawn))
        }
        return guarded
    }
}
