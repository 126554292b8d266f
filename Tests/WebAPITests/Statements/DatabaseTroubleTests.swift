import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import PhotoStore
import Postgres
import ReadModels
import Service
import TestSupport
import Testing

@testable import Web

/// Requests that the database does not serve in time.
@Suite(.hangs) struct DatabaseTroubleTests {
    private static let limits: DatabaseLimits = {
        var limits = DatabaseLimits()
        (limits.mapTimeout, limits.maps) = (.milliseconds(400), 1)
        return limits
    }()

    @Test func `maps that take too long, or are too many, are 503, and projectors go on`() async throws {
        try await ServedRoutes.run(limits: Self.limits) { served in
            let birder = try await Caller.register(served)
            let sent = try await birder.submit()
            let taxon = try #require(try sent.text("taxon.id"))
            let path = "/v1/taxa/\(taxon)/map?zoom=8"
            // A slow machine may take longer than the limit for the first one.
            try await until("no map is answered") {
                try await birder.send(.get, path, headers: sent.position).status == .ok
            }
            try await served.database.withConnection(served.database.owner) { owner in
                let table = ReadModel.sightingsPublic.schema + ".records"
                _ = try await owner.query("begin")
                _ = try await owner.query("lock table \(fragment: SQL(unsafeText: table)) in access exclusive mode")
                let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
                    for _ in 0..<12 { group.addTask { try await Caller.anonymous(served).send(.get, path) } }
                    let finding = try await birder.submit()
                    #expect(try await birder.send(.get, "/v1/me/map", headers: finding.position).status == .ok)
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(answers.count == 12)
                #expect(answers.allSatisfy { $0.status == .serviceUnavailable && $0.headers[.retryAfter] != nil })
                #expect(try answers.allSatisfy { try $0.problem == "unavailable" })
                _ = try await owner.query("rollback")
            }
            try await until("no map is answered afterwards") {
                try await Caller.anonymous(served).send(.get, path).status == .ok
            }
        }
    }

    @Test(arguments: ["57014", "55P03", "40P01", "40001", "53100", "53300", "58030", "57P01", "25006"])
    func `what may pass in the database is 503`(state: SQLState) {
        let error = PostgresError(server: ServerReport(severity: "ERROR", sqlState: state, message: ""))
        #expect(ProblemDetails(error)?.type == .unavailable)
        #expect(ProblemDetails(PostgresTransactionError.begin(error))?.type == .unavailable)
    }

    @Test func `a photo store that does not answer is 503, one that rejects our keys 500`() {
        let silent = PhotoStoreError.s3(operation: "PUT", status: 0, code: "")
        #expect(ProblemDetails(silent)?.type == .unavailable)
        #expect(ProblemDetails(PhotoStoreError.s3(operation: "PUT", status: 403, code: "AccessDenied")) == nil)
    }

    @Test(arguments: ["42P01", "22012"]) func `what does not is 500`(state: SQLState) {
        let error = PostgresError(server: ServerReport(severity: "ERROR", sqlState: state, message: ""))
        #expect(ProblemDetails(error) == nil)
    }
}
