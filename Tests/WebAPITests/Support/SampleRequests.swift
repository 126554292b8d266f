import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Postgres
import TestSupport
import Testing

@testable import Service
@testable import Web

/// A request to each route that its owner may make: about a sighting, its taxon or the account.
struct SampleRequests {
    let owner: Caller
    /// The id of the owner's sighting.
    let sighting: String
    let taxon: String
    private(set) var position: HTTPFields
    /// The id of its photo, for its owner and moderators; empty where no photo is needed.
    private(set) var photo = ""
    /// The public id of its photo, which is approved.
    private(set) var publicPhoto = ""
    /// A batch that approved the sighting; empty where none is needed.
    private(set) var batch = ""
    /// Another session of the owner's; empty where none is needed.
    private(set) var session = ""
    /// An API key of the owner's; empty where none is needed.
    private(set) var key = ""
    /// The account that admins change: the owner's, unless it could do nothing afterwards.
    private(set) var account = ""
    /// An upload of one byte; empty where none is needed.
    private(set) var upload = ""
    /// An export that is ready, or one that can be cancelled; empty where none is needed.
    private(set) var export = ""
    /// A target of the running week, and a species that is none; empty where none is needed.
    private var week = ""
    private var target = ""
    private var stranger = ""
    private static let replace = "POST /v1/targets/{region}/{week}/replace"
    /// The region of targets.
    private let region: String

    /// Submits a sighting.
    /// - Parameter route: for one about photos, also adds a photo, which takes longer.
    init(of owner: Caller, for route: Route? = nil, in region: String = "great-lakes") async throws {
        let sent = try await owner.submit()
        (self.owner, self.region) = (owner, region)
        sighting = try #require(try sent.text("id"))
        taxon = try #require(try sent.text("taxon.id"))
        position = try sent.position
        account = try #require(owner.account).description
        guard let route else { return }
        if route.name == Self.replace { try await chooseTargets() }
        if route.template.hasSuffix("/suspension") {
            account = try #require(try await Caller.register(owner.served).account).description
        }
        if let decision = Self.decisions[route.name] {
            let moderator = try await Caller.register(owner.served, role: .moderator)
            _ = try await moderator.send(
                .post, "/v1/moderation/sightings/\(sighting)/decisions", headers: [.ifMatch: "*"], json: decision)
        }
        if route.template.contains("/batches/{id}") {
            let moderator = try await Caller.register(owner.served, role: .moderator)
            let decided = try await moderator.send(
                .post, "/v1/moderation/decisions", json: Self.batch(of: sighting, version: 1))
            batch = try #require(try decided.text("batchId"))
            position = try decided.position
        }
        if route.template == "/v1/sightings/{id}/flags" {
            _ = try await owner.send(.get, "/v1/sightings/\(sighting)", headers: position)
        }
        if route.template == "/v1/me/sessions/{id}" {
            _ = try await owner.logIn()
            let sessions = try await owner.send(.get, "/v1/me/sessions")
            session = try #require(
                try sessions["items"]?.items.first { $0["current"] == .boolean(false) }?["id"]?.string)
        }
        if route.template.contains("/exports/{id}") {
            let wanted =
                route.template.hasSuffix("/diff")
                ? #"{"format":"ranges","filter":{"kind":"bird"}}"# : #"{"format":"csv"}"#
            (export, position) = try await Self.askForExport(owner, wanted, isMade: route.method == .get)
        }
        if route.template == "/v1/me/keys/{id}" { key = try await owner.script(#"["read"]"#).id }
        if route.template.contains("/uploads/{id}") {
            // An unverified account may have three at a time, and few bytes in them.
            let id = try #require(owner.account).uuid
            _ = try await owner.served.cases.ground.pool.query("DELETE FROM vault.uploads WHERE account = \(id)")
            let begun = try await Self.addPhoto(
                to: sighting, by: owner, TestPhotos.jpeg.getSlice(at: 0, length: 1) ?? TestPhotos.jpeg,
                more: [.uploadComplete: "?0", .uploadLength: "\(TestPhotos.jpeg.readableBytes)"])
            upload = String(try #require(begun.headers[.location]).suffix(36))
        }
        guard route.template.contains("/photos/{id}") || route.name == Self.order else { return }
        let added = try await Self.addPhoto(to: sighting, by: owner)
        photo = try #require(try added.text("id"))
        guard route.template.hasPrefix("/v1/photos/") else { return }
        let moderator = try await Caller.register(owner.served, role: .moderator)
        let decided = try await moderator.send(
            .post, "/v1/moderation/photos/\(photo)/decisions", headers: [.ifMatch: "*"],
            json: #"{"decision":"approve"}"#)
        let shown = try await owner.send(.get, "/v1/sightings/\(sighting)", headers: try decided.position)
        publicPhoto = try #require(try shown.text("photos.0.id"))
    }

    private static func askForExport(
        _ owner: Caller, _ body: String, isMade: Bool
    ) async throws -> (export: String, position: HTTPFields) {
        let asked = try await owner.send(.post, "/v1/exports", json: body)
        if isMade {
            try await owner.served.followToHead()
            try await owner.served.cases.exports.worker(logger: owner.served.logger).work()
            try await owner.served.followToHead()
        }
        return (try #require(try asked.text("id")), try asked.position)
    }

    private static let order = "PUT /v1/me/findings/{id}/photos"

    /// The decisions on the sighting that routes need before them.
    private static let decisions = [
        "POST /v1/me/findings/{id}/answers": #"{"decision":"ask","note":"Where?"}"#,
        "POST /v1/me/findings/{id}/appeals": #"{"decision":"reject","reasons":["wrong-date"]}"#,
    ]

    /// A batch of one approval.
    private static func batch(of sighting: String, version: Int) -> String {
        #"{"items":[{"key":"\#(UUID())","subject":"sighting","id":"\#(sighting)","version":\#(version),"#
            + #""decision":"approve"}]}"#
    }

    private mutating func chooseTargets() async throws {
        let cases = owner.served.cases
        let result = try #require(try await cases.targets.rotation.run([try RegionCode(region)]).last)
        let found = try await cases.targets.service.week(result.region, result.week)
        let tit = try await owner.send(.get, "/v1/taxa?q=Parus%20major")
        (week, target) = (result.week.description, try #require(found.state.targets.first?.id.description))
        stranger = try #require(try tit.text("items.0.id"))
    }

    /// Adds a photo; again while the read model is behind, as clients do.
    static func addPhoto(
        to sighting: String, by caller: Caller, key: UUID = UUID(), _ image: ByteBuffer = TestPhotos.jpeg,
        type: String? = "image/jpeg", more: HTTPFields = [:]
    ) async throws -> TestResponse {
        var response: TestResponse?
        try await until("the read model stays behind") {
            response = try await sendPhoto(to: sighting, by: caller, key: key, image, type: type, more: more)
            return response?.status != .serviceUnavailable || (try? response?.problem) != "model-behind"
        }
        return try #require(response)
    }

    /// Sends a photo once.
    static func sendPhoto(
        to sighting: String, by caller: Caller, key: UUID = UUID(), _ image: ByteBuffer = TestPhotos.jpeg,
        type: String? = "image/jpeg", more: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.idempotencyKey: key.uuidString]
        headers[.contentType] = type
        for field in more { headers[field.name] = field.value }
        if let token = caller.token { headers[.authorization] = "Bearer \(token)" }
        return try await caller.served.client.execute(
            uri: "/v1/me/findings/\(sighting)/photos", method: .post, headers: headers, body: image)
    }

    /// Sends bytes of an upload.
    static func resume(
        _ path: String, _ bytes: ByteBuffer?, by caller: Caller, headers more: HTTPFields
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/partial-upload"]
        for field in more { headers[field.name] = field.value }
        if let token = caller.token { headers[.authorization] = "Bearer \(token)" }
        return try await caller.served.client.execute(
            uri: path, method: .patch, headers: headers, body: bytes ?? ByteBuffer())
    }

    /// Sends the route's request, with everything it requires.
    /// - Parameter more: headers beside those.
    func send(
        _ route: Route, by caller: Caller, query: String = "", headers more: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = route.inputs.contains(.position) ? position : [:]
        if route.inputs.contains(.version) { headers[.ifMatch] = "*" }
        for field in more { headers[field.name] = field.value }
        if route.template.contains("/uploads/{id}"), route.inputs.contains(.image) {
            return try await Self.resume(
                path(of: route), TestPhotos.jpeg.getSlice(at: 1, length: TestPhotos.jpeg.readableBytes - 1), by: caller,
                headers: [.uploadOffset: "1", .uploadComplete: "?1"])
        }
        if route.inputs.contains(.image) { return try await Self.addPhoto(to: sighting, by: caller) }
        let body = route.inputs.contains(.body) ? try await body(for: route) : nil
        return try await caller.send(route.method, path(of: route) + query, headers: headers, json: body)
    }

    private func path(of route: Route) -> String {
        let id =
            switch route.template {
            case let path where path.hasPrefix("/v1/taxa/") || path.contains("/favourites/"): taxon
            case let path where path.hasPrefix("/v1/photos/"): publicPhoto
            case let path where path.contains("/photos/{id}"): photo
            case let path where path.contains("/uploads/{id}"): upload
            case let path where path.contains("/batches/{id}"): batch
            case let path where path.contains("/exports/{id}"): export
            case "/v1/me/sessions/{id}": session
            case "/v1/me/keys/{id}": key
            case let path where path.hasPrefix("/v1/accounts/"): account
            default: sighting
            }
        if route.name == Self.replace { return "/v1/targets/\(region)/\(week)/replace" }
        let path = route.template.replacing("{region}", with: region).replacing("{week}", with: "2999-W02")
            .replacing("{code}", with: region)
            .replacing("{id}", with: id).replacing("{slug}", with: "not-found")
            .replacing("{asset}", with: "start.js").replacing("{rendition}", with: "thumb")
            .replacing("{role}", with: "researcher")
        if ["/v1/targets", "/v1/targets/history"].contains(path) { return path + "?region=\(region)" }
        if path.hasSuffix("/trend") { return path + "?end=south" }
        if path.hasSuffix("/diff") { return path + "?with=\(export)" }
        return path == "/v1/taxa" ? path + "?q=wren" : path
    }

    /// A body that the route accepts.
    private func body(for route: Route) async throws -> String {
        switch route.name {
        case "POST /v1/accounts": return Caller.signUp("\(UUID().uuidString)@example.org")
        case "POST /v1/accounts/{id}/roles": return #"{"role":"researcher"}"#
        case "PUT /v1/email-verifications":
            // Of another account each time: a code can be used once.
            let account = try await Caller.register(owner.served)
            return #"{"token":"\#(try await owner.served.code(to: account.email))"}"#
        case "PUT /v1/password-resets":
            let account = try await Caller.register(owner.served)
            _ = try await owner.served.mails(to: account.email)
            _ = try await account.send(.post, "/v1/password-resets", json: #"{"email":"\#(account.email)"}"#)
            let code = try await owner.served.code(to: account.email)
            return #"{"token":"\#(code)","password":"nine owls in a barn"}"#
        case "POST /v1/password-resets": return #"{"email":"\#(UUID().uuidString)@example.org"}"#
        case "PUT /v1/me/email":
            return #"{"email":"\#(UUID().uuidString)@example.org","password":"\#(Caller.password)"}"#
        case "PUT /v1/me/password": return #"{"oldPassword":"\#(Caller.password)","newPassword":"\#(Caller.password)"}"#
        // With the right one, the account could do nothing afterwards.
        case "POST /v1/me/erasure": return #"{"password":"another one","sightings":"keep"}"#
        case "POST /v1/me/keys": return #"{"name":"a script","scopes":["read"]}"#
        case "POST /v1/accounts/lookup": return #"{"email":"\#(owner.email)"}"#
        case "PUT /v1/accounts/{id}/suspension": return #"{"reason":"spam"}"#
        case "PATCH /v1/me": return #"{"language":"fr"}"#
        case "POST /v1/sessions": return Caller.credentials(owner.email)
        case "POST /v1/sessions/refresh":
            let session = try await owner.send(.post, "/v1/sessions", json: Caller.credentials(owner.email))
            return #"{"refreshToken":"\#(try session.text("refreshToken") ?? "")"}"#
        case "POST /v1/exports", "POST /v1/research/exports": return #"{"format":"csv"}"#
        case "POST /v1/sightings": return Caller.sighting()
        case "POST /v1/sightings/batch":
            return #"{"items":[{"key":"\#(UUID())","sighting":\#(Caller.sighting())}]}"#
        case "PATCH /v1/me/photos/{id}": return #"{"altText":"a wren, \#(UUID())"}"#
        case "PUT /v1/moderation/me": return #"{"regions":[],"taxa":["\#(taxon)"]}"#
        case "PUT /v1/me/notifications/read": return #"{"upTo":0}"#
        case "POST /v1/moderation/decisions": return Self.batch(of: sighting, version: 1)
        case "POST /v1/moderation/claims": return #"{"limit":1}"#
        case "POST /v1/moderation/sightings/{id}/decisions", "POST /v1/moderation/photos/{id}/decisions":
            return #"{"decision":"approve"}"#
        case "PATCH /v1/me/findings/{id}": return #"{"count":3}"#
        case "PUT /v1/targets/{region}/{week}": return #"{"taxa":["\#(taxon)"]}"#
        case Self.replace: return #"{"targetId":"\#(target)","taxonId":"\#(stranger)","reason":"absent"}"#
        case Self.order: return #"{"ids":["\#(photo)"]}"#
        case let name where name.hasSuffix("/identifications"): return #"{"taxonId":"\#(taxon)"}"#
        case let name where name.hasSuffix("/answers") || name.hasSuffix("/appeals"): return #"{"text":"it sang"}"#
        case let name where name.hasSuffix("/flags"): return #"{"reason":"wrong-place"}"#
        case let name where name.hasSuffix("/release"): return #"{"category":null,"note":"a coyote"}"#
        case let name where name.hasSuffix("/captive"): return #"{"captive":true}"#
        case "PUT /v1/moderation/photos/{id}/hidden": return #"{"reason":"other"}"#
        case "PUT /v1/moderation/sightings/{id}/hidden": return #"{"fields":["notes"],"reason":"other"}"#
        default:
            Issue.record("no body is known for \(route.name)")
            return "{}"
        }
    }
}
