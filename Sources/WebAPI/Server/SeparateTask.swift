import Hummingbird

/// Runs something in a task of its own, and waits for it.
///
/// A task keeps the memory that its deepest call needed. That of a connection whose response lasts for hours would keep
/// some 25 KiB for each; this one's is freed at once.
func inSeparateTask<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}

/// Makes responses that last in separate tasks, and all others in those of their connections.
struct LastingResponses: HTTPResponder {
    private static let paths: Set = [EventRoutes.path]

    let responder: RouterResponder<APIContext>

    func respond(to request: Request, context: APIContext) async throws -> Response {
        guard Self.paths.contains(request.uri.path) else {
            return try await responder.respond(to: request, context: context)
        }
        return try await inSeparateTask { try await responder.respond(to: request, context: context) }
    }
}
