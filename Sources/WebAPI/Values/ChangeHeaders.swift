import Domain
import FoundationEssentials
import Hummingbird
import Service

/// The account that asks for a change, its idempotency key, and the versions that it may change.
struct ChangeHeaders {
    let account: AccountID
    let key: UUID
    /// nil for any version, and for subjects without versions.
    let versions: Set<Int>?

    /// - Parameter isVersioned: whether `If-Match` is required.
    /// - Throws: `ProblemDetails` (400, 401, 428).
    init(_ request: Request, _ context: APIContext, isVersioned: Bool = true) throws {
        account = try context.signedIn().accountID
        key = try IdempotencyKey(request.headers).uuid
        versions = isVersioned ? try ExpectedVersion(request.headers).versions : nil
    }
}
