import Foundation
import Logging
import Postgres

/// A database with a service on it, its followers at work, and a birder who is signed up.
struct ServedLog: Sendable {
    let laboratory: Laboratory
    let service: SkeinService
    private let birder: APIClient.Birder
    /// The birder's account.
    let account: UUID

    /// Serves a database, created if it is missing.
    static func with<Value>(
        _ laboratory: Laboratory, database: String = "served", logLevel: Logger.Level = .warning,
        settings: [String: String] = [:], _ body: (ServedLog) async throws -> Value
    ) async throws -> Value {
        try await laboratory.makeDatabaseIfMissing(database)
        return try await SkeinService.with(
            laboratory, database: database, logLevel: logLevel, settings: settings
        ) { service in
            let birder = APIClient.Birder()
            let account = try await service.client.register(birder)
            return try await body(
                ServedLog(laboratory: laboratory, service: service, birder: birder, account: account))
        }
    }

    /// A client with a fresh access token.
    func signedIn() async throws -> APIClient {
        try await service.client.signedIn(birder)
    }

    /// Another account, with a role.
    func registered(as role: String) async throws -> APIClient.Birder {
        let other = APIClient.Birder()
        _ = try await service.client.register(other)
        try await laboratory.skein.run(
            ["role", "add", other.email, role], environment: laboratory.environment(service.database),
            in: laboratory.folder)
        return other
    }

    /// The catalogue's Pacific Wren.
    func taxon() async throws -> UUID {
        struct Found: Decodable {
            struct Taxon: Decodable { let id: UUID }
            let items: [Taxon]
        }
        let answer = try await service.client.get("/v1/taxa?q=Troglodytes%20pacificus")
        guard let taxon = try answer.decoded(Found.self).items.first else {
            throw ProgramError(description: "the catalogue has no Troglodytes pacificus")
        }
        return taxon.id
    }

    /// Logs in and discards the session.
    /// - Parameter address: where the client connects from.
    func logIn(from address: String? = nil) async throws {
        var client = service.client
        client.address = address
        _ = try await client.signedIn(birder)
    }

    /// The position of the newest event.
    func head() async throws -> Int64 {
        try await laboratory.withConnection(try laboratory.owner(service.database)) { connection in
            try await connection.query("select coalesce(max(position), 0) as head from log.events").onlyRow()
                .decode("head")
        }
    }

    /// The content of the log for a submission, typed text included: the payload that the reference writes.
    func payload() async throws -> String {
        let answer = try await signedIn().post("/v1/sightings", Array(Submissions.body(1).utf8))
        try answer.expect(201, "submitting")
        return try await laboratory.withConnection(try laboratory.service(service.database)) { connection in
            let row = try await connection.query(
                """
                select left(e.payload::text, -1) || ',"notes":' || to_json(c.value) || '}' as payload
                  from log.events e join vault.content c on c.stream = e.stream and c.field = 'notes'
                 where e.type = 'SightingSubmitted' order by e.position desc limit 1
                """
            ).onlyRow()
            return try row.decode("payload")
        }
    }
}
