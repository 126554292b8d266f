import Foundation
import Postgres
import TestSupport
import Testing

struct LimitsTests {
    @Test func `every table of the vault has its limits in the documentation`() async throws {
        let page = try String(contentsOfFile: PackageRoot.path + "/docs/limits.md", encoding: .utf8)
        let listed = Set(page.matches(of: /`vault\.([a-z_]+)`/).map { String($0.1) })
        try await withVault { vault in
            let tables = try await vault.owner.query(
                "SELECT tablename::text FROM pg_tables WHERE schemaname = 'vault'"
            ).rows.map { try $0.decode(0, as: String.self) }
            #expect(tables.count > 20 && Set(tables) == listed)
        }
    }
}
