package import Domain
package import FoundationEssentials
package import Hummingbird
import Service

/// The account that asks for a change, its idempotency key, and the versions that it may change.
package struct ChangeHeaders {
    package let account: AccountID
    package let key: UUID
    /// nil for any version, and for subjects without versions.
    package let versions: Set<Int>?

    /// - Parameter isVersioned: whether `If-Match` is required.
    /// - Throws: `ProblemDetails` (400, 401, 428).
    package init(_ request: Request, _ context: APIContext, isVersioned: Bool = true) throws {
        account = try context.signedIn().accountID
        key = try IdempotencyKey(request.headers).uuid
        versions = isVersioned ? try ExpectedVersion(request.headers).versions : nil
    }
}
