import Domain
import Foundation
import Postgres
import Testing

@testable import Vault

struct MailsTests {
    private let address = try? EmailAddress("wren@example.org")

    private func mail() throws -> QueuedMail {
        QueuedMail(.verification, account: AccountID(UUID()), to: try #require(address))
    }

    @Test func `of processes that claim at once, one gets a mail, and nobody gets it again`() async throws {
        try await withVault { vault in
            let mails = Mails(database: vault.service)
            let queued = try mail()
            try await mails.queue(queued, lifetime: .seconds(60))
            var others: [Mails] = []
            for _ in 0..<4 { others.append(Mails(database: try await vault.anotherConnection())) }
            let claims: [ClaimedMail] = try await withThrowingTaskGroup(of: ClaimedMail?.self) { group in
                for mails in others { group.addTask { try await mails.claimNext() } }
                return try await group.reduce(into: []) { if let claim = $1 { $0.append(claim) } }
            }
            #expect(claims.map(\.mail) == [queued] && claims.first?.attempts == 1)
            try await mails.sent(try #require(claims.first))
            // A retry of the request that queued it does not send it again.
            try await mails.queue(queued, lifetime: .seconds(60))
            #expect(try await mails.claimNext() == nil)
            #expect(try await vault.count("SELECT count(*) FROM vault.mails WHERE address IS NOT NULL") == 0)
        }
    }

    @Test func `a mail that failed is due after its wait, and one of a process that died when its claim ends`()
        async throws
    {
        try await withVault { vault in
            let mails = Mails(database: vault.service)
            try await mails.queue(try mail(), lifetime: .seconds(3600))
            func pass(_ seconds: Int) async throws {
                try await vault.owner.query(
                    "UPDATE vault.jobs SET due = due - make_interval(secs => \(Double(seconds)))")
            }
            try await mails.failed(try #require(try await mails.claimNext()), retryIn: .seconds(100))
            try await pass(90)
            #expect(try await mails.claimNext() == nil)
            try await pass(11)
            let dead = try #require(try await mails.claimNext())
            try await pass(110)
            #expect(try await mails.claimNext() == nil)
            try await pass(11)
            let next = try #require(try await mails.claimNext())
            #expect(next.attempts == 3)
            // What the first process says of its attempt no longer counts.
            try await mails.sent(dead)
            try await mails.failed(dead, retryIn: .zero)
            #expect(try await mails.claimNext() == nil)
            try await mails.failed(next, retryIn: .zero)
            #expect(try await mails.claimNext() != nil)
        }
    }

    @Test func `expired mails are not sent, and are counted when they are deleted`() async throws {
        try await withVault { vault in
            let mails = Mails(database: vault.service)
            let (late, sent) = (try mail(), try mail())
            try await mails.queue(sent, lifetime: .seconds(60))
            try await mails.sent(try #require(try await mails.claimNext()))
            try await mails.queue(late, lifetime: .seconds(-1))
            #expect(try await mails.claimNext() == nil)
            #expect(try await mails.purge() == 1)
            #expect(try await vault.count("SELECT count(*) FROM vault.mails") == 1)
            try await vault.owner.query("UPDATE vault.mails SET sent_at = sent_at - interval '25 hours'")
            #expect(try await mails.purge() == 0)
            #expect(try await vault.count("SELECT count(*) FROM vault.mails") == 0)
        }
    }

    @Test func `the mails and codes of an account are forgotten, and no others`() async throws {
        try await withVault { vault in
            let (mails, codes) = (Mails(database: vault.service), MailCodes(database: vault.service))
            let (own, other) = (try mail(), QueuedMail(.reset, account: nil, to: try EmailAddress("owl@example.org")))
            let account = try #require(own.account)
            let asked = QueuedMail(.reset, account: nil, to: try EmailAddress("Wren@example.org"))
            for mail in [own, other, asked] { try await mails.queue(mail, lifetime: .seconds(60)) }
            try await mails.forget(account, at: own.address)
            #expect(try await mails.claimNext()?.mail == other)
            #expect(try await mails.claimNext() == nil)
            for holder in [account, AccountID(UUID())] {
                let purpose = MailedCode(kind: .reset, account: holder, address: own.address)
                try await codes.add(MailCode(), for: purpose, lifetime: .seconds(60))
            }
            try await codes.forget(account)
            #expect(try await vault.count("SELECT count(*) FROM vault.mail_codes") == 1)
        }
    }

    @Test func `of commands that use a code at once, one gets it, and may be retried`() async throws {
        try await withVault { vault in
            let codes = MailCodes(database: vault.service)
            let purpose = MailedCode(
                kind: .verification, account: AccountID(UUID()), address: try #require(address))
            let code = MailCode()
            try await codes.add(code, for: purpose, lifetime: .seconds(60))
            #expect(try await codes.find(code, kinds: [.verification]) == purpose)
            #expect(try await codes.find(code, kinds: []) == nil)
            #expect(try await codes.find(MailCode(), kinds: [.verification]) == nil)
            let commands = (0..<4).map { _ in UUID() }
            var users: [UUID] = []
            for command in commands where try await codes.use(code, for: command) { users.append(command) }
            #expect(users == [commands[0]])
            try await codes.void([.verification], of: purpose.account)
            #expect(try await codes.use(code, for: commands[0]))
            let late = MailCode()
            try await codes.add(late, for: purpose, lifetime: .seconds(-1))
            #expect(try await !codes.use(late, for: UUID()))
            try await codes.purge()
            #expect(try await vault.count("SELECT count(*) FROM vault.mail_codes") == 2)
        }
    }

    @Test func `a code is read in any case and spacing, and nothing else is`() {
        let code = MailCode()
        let spoken = code.text.lowercased().replacing("-", with: " ").replacing("0", with: "o").replacing(
            "1", with: "l")
        #expect(MailCode(presented: spoken)?.digest == code.digest)
        #expect(MailCode(presented: code.text)?.text == code.text && code.text.count == 29)
        for wrong in ["", String(code.text.dropLast()), code.text + "7", code.text.replacing("-", with: "_")] {
            #expect(MailCode(presented: wrong) == nil, "\(wrong)")
        }
        #expect(String(describing: code) == "redacted" && String(reflecting: code) == "redacted")
    }
}
