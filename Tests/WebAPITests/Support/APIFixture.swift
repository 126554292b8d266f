import Domain
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSON
import Logging
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import Testing

@testable import Service
@testable import Web
@testable import WebAPI

/// An API with routes made up to try the machinery, without a socket.
struct APIFixture: Sendable {
    static let birder = Principal(accountID: AccountID(UUID()), sessionID: UUID(), roles: [.birder])
    static let admin = Principal(accountID: AccountID(UUID()), sessionID: UUID(), roles: [.birder, .admin])

    var settings = APISettings(accountLimits: .none, clientLimit: nil, credentialLimit: nil, trustedProxies: 1)
    var readiness = StubReadiness(report: ReadinessReport([.init("database", .ready)]))
    var verifier: any AccessTokenVerifying = StubVerifier()
    let metrics = MetricRegistry()
    let log = LogCapture()

    private var api: SkeinAPI {
        SkeinAPI(verifier: verifier, metrics: metrics, readiness: readiness, settings: settings)
    }

    /// Runs requests against the operations listener.
    func testOperations(_ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        try await Application(responder: api.operations(on: "127.0.0.1"), logger: log.logger()).test(.router, body)
    }

    /// Runs requests against the routes.
    func test(
        _ groups: [any RouteGroup] = [TrialRoutes()], _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let application = Application(responder: api.responder(groups), logger: log.logger())
        try await application.test(.router, body)
        log.expectListedProblems()
    }
}

/// Knows two tokens, and a third that the database cannot be asked about.
struct StubVerifier: AccessTokenVerifying {
    struct DatabaseGone: Error, CustomDebugStringConvertible {
        var debugDescription: String { "the-secret-reason" }
    }

    func verify(_ token: String) async throws -> Principal {
        switch token {
        case "birder": return APIFixture.birder
        case "admin": return APIFixture.admin
        case "trouble": throw DatabaseGone()
        default: throw AccessTokenRejection.invalid
        }
    }
}

struct StubReadiness: ReadinessReporting {
    var report: ReadinessReport
    var isEnding = false

    func readiness() async -> ReadinessReport { report }
}

/// Routes of every kind that the real ones have.
struct TrialRoutes: RouteGroup {
    var routes: [Route] {
        [
            Route(.post, "/v1/trial", .signedIn, reads: [.body], create),
            Route(.patch, "/v1/trial/{id}", .signedIn, reads: [.body, .version]) { request, _ in
                try ExpectedVersion(request.headers).check(3)
                return Response.json(JSONWriter.bytes(of: try await request.json(isPatch: true)))
            },
            Route(.post, "/v1/trial/uploads", .signedIn, reads: [.image]) { request, context in
                context.channel.triggerUserOutboundEvent(
                    UploadResumption(location: "/v1/trial/7", limit: "max-age=9", version: "8"), promise: nil)
                for try await _ in request.body {}
                return Response(status: .created)
            },
            Route(.get, "/v1/me/trial/{id}", .signedIn, reads: [.tag]) { request, _ in
                try Response.ownRepresentation(Array("{}".utf8), version: 3, for: request)
            },
            Route(.get, "/v1/trial/{id}", .anyone, reads: [.tag]) { request, context in
                #expect(context.principal == nil)
                return try Response.publicRepresentation(Array("{\"a\":1}".utf8), for: request)
            },
            Route(.get, "/v1/broken", .anyone) { _, _ in throw StubVerifier.DatabaseGone() },
            Route(.post, "/v1/credentials", .credentials) { _, _ in Response.json(Array("{}".utf8)) },
            Route(.post, "/v1/admins", .admins) { _, _ in Response.json(Array("{}".utf8)) },
            Route(.get, "/v1/rejected", .anyone) { _, _ in throw HTTPError(.badRequest, message: "secret words") },
        ]
    }

    private func create(_ request: Request, _ context: APIContext) async throws -> Response {
        var body = JSONObjectReader(try await request.json())
        let confidence = body.required("confidence", Int.self, Confidence.init(_:))
        _ = body.optional("notes", String.self, Note.init(_:))
        try body.finish()
        var writer = JSONWriter()
        writer.object { $0.field("confidence", confidence?.value) }
        return Response.json(writer.bytes, status: .created)
    }
}

/// Keeps what is logged.
final class LogCapture: Sendable {
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]
    }

    private let lines = NIOLockedValueBox<[Line]>([])

    var all: [Line] { lines.withLockedValue { $0 } }

    /// Everything as one text, to look for what must not be there.
    var text: String { all.map { "\($0.level) \($0.message) \($0.metadata)" }.joined(separator: "\n") }

    func logger() -> Logger {
        Logger(label: "test") { [lines] _ in
            LogListener(.trace) { event in
                let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
                lines.withLockedValue {
                    $0.append(Line(level: event.level, message: "\(event.message)", metadata: metadata))
                }
            }
        }
    }

    /// No route has answered with a problem that it does not list.
    func expectListedProblems() {
        for line in all where line.message == "unlisted problem" { Issue.record("\(line.metadata)") }
    }
}

extension TestResponse {
    /// The body as JSON.
    var json: JSONValue {
        get throws { try JSONValue(parsing: Array(body.readableBytesView)) }
    }

    /// The slug of the problem that the body reports; nil where it reports none.
    var problem: String? {
        get throws {
            guard headers[.contentType] == "application/problem+json" else { return nil }
            guard case .string(let type)? = try json["type"] else { return nil }
            return String(type.dropFirst("/problems/".count))
        }
    }
}

extension HTTPFields {
    static func token(_ token: String, json: Bool = true) -> HTTPFields {
        var fields: HTTPFields = [.authorization: "Bearer \(token)"]
        if json { fields[.contentType] = "application/json" }
        return fields
    }
}

extension ExpectedVersion {
    /// Fails with 412 for a version that is not expected, as a use case does.
    func check(_ version: Int) throws(ProblemDetails) {
        if case .oneOf(let versions) = self, !versions.contains(version) {
            throw ProblemDetails(.preconditionFailed)
        }
    }
}
