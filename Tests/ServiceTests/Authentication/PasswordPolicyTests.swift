import Domain
import Foundation
import TestSupport
import Testing

@testable import Service

struct PasswordPolicyTests {
    private static let list = PackageRoot.path + "/share/passwords/common.txt"

    @Test func `none of the commonest, in whatever case; long enough, and not too long`() throws {
        let policy = try PasswordPolicy(contentsOf: Self.list)
        for secret in ["1234567890", "qwertyuiop", "QwertyUIOP"] {
            #expect(throws: RuleViolation.self) { try policy.password(secret) }
        }
        #expect(throws: RuleViolation.self) { try policy.password("nine char") }
        #expect(throws: RuleViolation.self) { try policy.password(String(repeating: "é", count: 257)) }
        #expect(try policy.password("a wren in winter").secret == "a wren in winter")
        #expect(try policy.password(String(repeating: "🪶", count: 256)).secret.count == 256)
    }

    @Test func `a list that is missing or too short is rejected when the service starts, not when somebody signs up`()
        throws
    {
        #expect(throws: PasswordPolicy.Failure.unreadable(path: "/no/such/file")) {
            try PasswordPolicy(contentsOf: "/no/such/file")
        }
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "password\r\nletmein\n\n".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: PasswordPolicy.Failure.tooFew(path: path, found: 2)) {
            try PasswordPolicy(contentsOf: path)
        }
    }
}
