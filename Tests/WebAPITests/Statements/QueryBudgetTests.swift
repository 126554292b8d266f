import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import ReadModels
import Service
import TestSupport
import Testing

@testable import Web

/// The cost of the requests that are sent most: statements sent to the database, and rows read by their plans.
struct QueryBudgetTests {
    /// A request and the number of statements that it may send.
    ///
    /// ID is a finding, TAXON its taxon, OBSERVER the public id of its observer, PHOTO that of a photo, BOX a bounding
    /// box around the finding, TODAY the day of its submission, NEW a new UUID, CREDENTIALS the body of a log-in,
    /// REFRESH the token of one.
    private struct Budget {
        let statements: Int
        let request: String
        var body: String?
        /// Whether it carries the `Log-Position` of an earlier answer.
        var isPositioned = false

        init(_ statements: Int, _ request: String, body: String? = nil, isPositioned: Bool = false) {
            (self.statements, self.request, self.body) = (statements, request, body)
            self.isPositioned = isPositioned
        }
    }

    private static let budgets = [
        Budget(0, "GET /healthz"),
        Budget(1, "GET /v1/log"),
        Budget(0, "GET /v1/taxa?q=wren"),
        Budget(1, "GET /v1/taxa/TAXON"),
        Budget(1, "GET /v1/taxa/TAXON/map?BOX"),
        Budget(4, "GET /v1/sightings?limit=20"),
        Budget(4, "GET /v1/sightings?state=US-WA&captive=false&limit=20"),
        Budget(4, "GET /v1/sightings?status=approved&limit=20"),
        Budget(4, "GET /v1/sightings?minConfidence=8&limit=20"),
        Budget(4, "GET /v1/sightings?dataset=none&limit=20"),
        Budget(4, "GET /v1/sightings?hasPhoto=true&limit=20"),
        Budget(4, "GET /v1/sightings?taxon=TAXON&region=pacific-northwest&from=2026-01-01&limit=20"),
        Budget(1, "GET /v1/sightings/ID"),
        Budget(2, "GET /v1/sightings/ID", isPositioned: true),
        Budget(5, "GET /v1/sightings/ID?asOf=TODAY"),
        Budget(2, "GET /v1/sightings/ID/history"),
        Budget(2, "GET /v1/me"),
        Budget(3, "GET /v1/me/findings"),
        Budget(4, "GET /v1/me/findings", isPositioned: true),
        Budget(3, "GET /v1/me/findings?kind=bird&from=2026-01-01"),
        Budget(4, "GET /v1/me/findings/ID"),
        Budget(5, "GET /v1/me/findings/ID/history"),
        Budget(1, "GET /v1/me/map?BOX"),
        Budget(1, "GET /v1/me/species"),
        Budget(1, "GET /v1/me/species?year=2026&region=pacific-northwest&kind=bird"),
        Budget(1, "GET /v1/me/visits"),
        Budget(2, "GET /v1/me/progress"),
        Budget(5, "GET /v1/me/gallery?kind=bird&region=pacific-northwest"),
        Budget(3, "GET /v1/me/notifications"),
        Budget(1, "GET /v1/taxa/TAXON/gallery"),
        Budget(1, "GET /v1/taxa/TAXON/gallery?kind=bird&region=pacific-northwest"),
        Budget(1, "GET /v1/observers/OBSERVER/gallery?kind=bird"),
        Budget(1, "GET /v1/photos/PHOTO/thumb"),
        Budget(10, "GET /v1/moderation/queue?limit=1"),
        Budget(10, "GET /v1/moderation/queue?subject=photo&limit=20"),
        Budget(1, "POST /v1/sightings", body: noted),
        Budget(3, "POST /v1/sightings/batch", body: batch),
        Budget(5, "PATCH /v1/me/findings/ID", body: #"{"notes":"heard again, NEW"}"#),
        Budget(6, "POST /v1/sessions", body: "CREDENTIALS"),
        Budget(4, "POST /v1/sessions/refresh", body: #"{"refreshToken":"REFRESH"}"#),
    ]

    private static let noted = Caller.sighting(more: #","notes":"singing""#)
    /// Items that arrive while an append is on its way go together in the next one.
    private static let batch: String = {
        let item = #"{"key":"NEW","sighting":\#(noted)}"#
        return #"{"items":[\#(Array(repeating: item, count: 10).joined(separator: ","))]}"#
    }()

    /// PostgreSQL plans a prepared statement for its values five times, then considers one plan for all values.
    private static let repetitions = 6
    /// No request here needs more rows of one table or index at a step; the tables have many more.
    private static let rows = 1_000
    /// Tables that do not grow: one row, and one for each signing key in use and each model.
    private static let fixed: Set = ["head", "signing_keys", "checkpoints"]

    @Test func `hot requests keep to their statements and to indexes, before and after the tables are analysed`()
        async throws
    {
        let watch = StatementWatch()
        try await ServedRoutes.run(watchedBy: watch) { served in
            let scene = try await Scene(served, watch)
            for isAnalysed in [false, true] {
                if isAnalysed { try await scene.crowd.analyse() }
                for budget in Self.budgets {
                    for fault in try await scene.faults(of: budget) {
                        Issue.record("\(fault), analysed: \(isAnalysed)")
                    }
                }
            }
            // A statement too many and a missing index are noticed.
            #expect(try await scene.faults(of: Budget(0, "GET /v1/log")) == ["GET /v1/log: 1 statements, not 0"])
            try await scene.dropIndex("records_id", of: .sightingsPublic)
            let faults = try await scene.faults(of: Budget(1, "GET /v1/sightings/ID"))
            #expect(faults.contains { $0.contains("Seq Scan on records") }, "\(faults)")
        }
    }
}

extension QueryBudgetTests {
    private struct Scene {
        let crowd: CrowdedScene
        let watch: StatementWatch

        init(_ served: ServedRoutes, _ watch: StatementWatch) async throws {
            (crowd, self.watch) = (try await CrowdedScene(served, with: noted), watch)
        }

        private var served: ServedRoutes { crowd.served }

        func dropIndex(_ name: String, of model: ReadModel) async throws {
            try await served.database.withConnection(served.database.owner) { owner in
                _ = try await owner.query("drop index \(identifier: model.schema).\(identifier: name)")
            }
        }

        /// The faults of the request's statements and of their plans.
        func faults(of budget: Budget) async throws -> Set<String> {
            var faults: Set<String> = []
            // The fewest count: the first look-up of a token, say, is no part of a request's own cost.
            var fewest = Int.max
            let session = try await crowd.birder.send(
                .post, "/v1/sessions", json: Caller.credentials(crowd.birder.email))
            let token = try #require(try session.text("refreshToken"))
            for _ in 0..<repetitions {
                // On a slow machine, the status of the account may be too old to be used without asking.
                try await served.followToHead()
                try await served.cases.ground.directory.refresh()
                let (statements, scans) = try await watch.reports { try await send(budget, token) }
                fewest = min(fewest, statements.count)
                for scan in scans where scan.rows > rows || (scan.kind == "Seq Scan" && !fixed.contains(scan.relation))
                {
                    faults.insert("\(budget.request): \(scan.kind) on \(scan.relation) reads \(scan.rows) rows")
                }
            }
            if fewest > budget.statements {
                faults.insert("\(budget.request): \(fewest) statements, not \(budget.statements)")
            }
            return faults
        }

        private func send(_ budget: Budget, _ token: String) async throws {
            let parts = budget.request.split(separator: " ")
            var headers: HTTPFields = [.ifMatch: "*"]
            headers[.logPosition] = budget.isPositioned ? crowd.position : nil
            let (method, path) = (try #require(HTTPRequest.Method(String(parts[0]))), filled(String(parts[1])))
            // A day can be asked for when it is over.
            let inTwoDays = Instant.now.adding(seconds: 2 * 86_400)
            let response = try await ServedRoutes.$now.withValue(path.contains("asOf") ? inTwoDays : nil) {
                try await (path.contains("/moderation/") ? crowd.moderator : crowd.birder).send(
                    method, path, headers: headers,
                    json: budget.body.map { filled($0).replacing("REFRESH", with: token) })
            }
            try #require(response.status.kind == .successful, "\(budget.request): \(String(buffer: response.body))")
        }

        private func filled(_ text: String) -> String {
            var text = text.replacing("ID", with: crowd.finding).replacing("TAXON", with: crowd.taxon)
                .replacing("OBSERVER", with: crowd.observer).replacing("PHOTO", with: crowd.photo)
                .replacing("TODAY", with: crowd.today).replacing("BOX", with: "bbox=-123,47.6,-122,47.7&zoom=20")
                .replacing("CREDENTIALS", with: Caller.credentials(crowd.birder.email))
            while let new = text.firstRange(of: "NEW") { text.replaceSubrange(new, with: UUID().uuidString) }
            return text
        }
    }
}
