import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
import Service

/// Turns every error into a problem document; errors become answers nowhere else.
///
/// An error that is no problem is a fault of the service: the client gets the request's id only, and the log gets the
/// error. (Hummingbird alone would log it at debug and answer with an empty 500.)
package struct ProblemMiddleware: RouterMiddleware {
    private let routes: [String: Route]

    /// - Parameter routes: those that requests go to, by which the problems of answers are checked.
    package init(_ routes: [Route]) {
        self.routes = Dictionary(routes.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Answers with a problem document where the route throws; it never throws itself.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let problem = problem(for: error, request, context)
            check(problem.type, request, context)
            return problem.response(instance: context.requestID)
        }
    }

    private func problem(for error: any Error, _ request: Request, _ context: APIContext) -> ProblemDetails {
        let problem = ProblemDetails(reporting: error, in: context)
        if problem.type == .notFound, !HTTPRequest.Method.known.contains(request.method) {
            return ProblemDetails(.notImplemented)
        }
        return problem
    }

    /// `openapi.yaml` lacks a problem that the route does not list. Tests fail on this line of the log.
    private func check(_ type: ProblemType, _ request: Request, _ context: APIContext) {
        let method = request.method == .head ? HTTPRequest.Method.get : request.method
        // The router has found a route for another spelling of its path, too.
        guard CanonicalPaths.isCanonical(request.uri.path), let path = context.endpointPath,
            let route = routes["\(method) \(path)"],
            !route.problems.contains(type)
        else { return }
        context.logger.error("unlisted problem", metadata: ["route": "\(route.name)", "problem": "\(type)"])
    }
}

extension ProblemDetails {
    /// The problem that an error is. A fault of ours goes into the log, and the client learns nothing of it.
    package init(reporting error: any Error, in context: APIContext) {
        self = ProblemDetails(error) ?? ProblemDetails(.internalError)
        if PassingTrouble.isPassing(error) {
            context.logger.warning("request failed for now", metadata: ["error": "\(String(reflecting: error))"])
        }
        if type == .internalError {
            context.logger.error("request failed", metadata: ["error": "\(String(reflecting: error))"])
        }
    }
}

extension ProblemDetails {
    /// The answer that reports the problem.
    package func response(instance: String) -> Response {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        // RFC 9110 section 15.5.2: a 401 always says how to authenticate.
        if type.status == .unauthorized, headers[.wwwAuthenticate] == nil {
            headers[.wwwAuthenticate] = ProblemDetails.bearerChallenge
        }
        headers[.cacheControl] = CachePolicy.privateNoStore.rawValue
        return Response(
            status: type.status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body(instance: instance))))
    }
}
