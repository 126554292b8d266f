import Domain
import Forms
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import Service
package import Web

/// Everything that an account has, for itself.
package struct OwnDataRoutes: RouteGroup {
    let data: OwnData
    let log: LogState

    package var routes: [Route] {
        [
            Route(
                .get, "/v1/me/data", .personal, reads: [.query, .position], problems: [.notFound, .gone], archive)
        ]
    }

    /// After a failure, the response ends without its final chunk.
    private func archive(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.signedIn()
        let account = caller.accountID
        var query = QueryReader(request)
        let hasPhotos = query.optional("photos") { (word) throws(RuleViolation) in
            guard let answer = ["yes": true, "no": false][word] else { throw .vocabulary(["yes", "no"]) }
            return answer
        }
        try query.finish()
        let asked = try await Asked(request.headers, of: account, log)
        let archive = try await data.archive(of: account, hasPhotos: hasPhotos ?? true, asked)
        let headers: HTTPFields = [
            .contentType: "application/zip", .contentDisposition: "attachment; filename=\"skein-data.zip\"",
        ]
        let forms = Self.forms(for: caller.sessionID)
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                var pace = ReadingPace(.ownData, of: context.channel)
                try await data.write(archive, forms) { try await pace.write($0, to: &writer) }
                try await writer.finish(nil)
            })
    }

    private static func forms(for session: UUID?) -> OwnDataForms {
        OwnDataForms(
            account: { JSONWriter.bytes(of: $0) }, finding: { JSONWriter.bytes(of: $0) },
            photo: { JSONWriter.bytes(of: $0) }, favourite: { JSONWriter.bytes(of: $0) },
            notification: { JSONWriter.bytes(of: $0) },
            export: { JSONWriter.bytes(of: $0) }, text: { JSONWriter.bytes(of: $0) },
            session: { JSONWriter.bytes(of: ShownSession(session: $0, isCurrent: $0.id == session)) },
            key: { JSONWriter.bytes(of: $0) })
    }
}
