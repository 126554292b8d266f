import Domain
import Foundation
import Postgres
import TestSupport
import Testing

@testable import Vault

struct ReservationsTests {
    private func digest(_ text: String) throws -> [UInt8] {
        try Reservation.email(EmailAddress(text)).digest
    }

    @Test func `an address is known by the SHA-256 of its lower case`() throws {
        let hexadecimal = try digest("Wren@Example.ORG").map { String(format: "%02x", $0) }.joined()
        // printf wren@example.org | sha256sum
        #expect(hexadecimal == "ef0213e836aa017ac564751c62a74aaa294157a2f84ebc9f627bfefdf5e9534e")
        #expect(try digest("wren@example.org") == digest("WREN@example.org"))
        #expect(try digest("wren@example.org") != digest("wrens@example.org"))
    }

    @Test func `holders are found one by one and many at once; what is free is left out`() async throws {
        try await withVault { vault in
            let (one, two) = (UUID(), UUID())
            let email = Reservation.email(try EmailAddress("wren@example.org"))
            let title = Reservation(kind: .dataset, text: "wren@example.org")
            let free = Reservation(kind: .email, text: "free@example.org")
            try await vault.reserve("email", email.digest, for: one)
            try await vault.reserve("dataset", title.digest, for: two)

            let reservations = Reservations(database: vault.service)
            #expect(try await reservations.holder(of: email) == one)
            #expect(try await reservations.holder(of: title) == two)
            #expect(try await reservations.holder(of: free) == nil)
            #expect(try await reservations.holders(of: [free, email, title, email]) == [email: one, title: two])
            #expect(try await reservations.holders(of: []).isEmpty)
        }
    }

    /// Before domains were compared in ASCII, an address was reserved as it had been typed, in lower case.
    @Test func `an address is found in the spelling of an earlier version, too`() async throws {
        try await withVault { vault in
            let (former, wide, twin) = (UUID(), UUID(), UUID())
            for (text, holder) in [
                ("me@müller.example", former), ("me@ｅｘａｍｐｌｅ.org", wide), ("me@example.org", twin),
            ] { try await vault.reserve("email", Reservation(kind: .email, text: text).digest, for: holder) }
            let reservations = Reservations(database: vault.service)
            func holder(_ text: String) async throws -> UUID? {
                try await reservations.holder(of: try EmailAddress(text))
            }
            for text in [
                "me@müller.example", "ME@MÜLLER.example ", "me@xn--mller-kva.example", "me@mu\u{308}ller.example",
            ] {
                #expect(try await holder(text) == former, "\(text)")
            }
            // Two accounts may have an address in two spellings from that time: each is found by its own.
            #expect(try await holder("me@ｅｘａｍｐｌｅ.org") == wide)
            #expect(try await holder("me@example.org") == twin)
            #expect(try await holder("you@müller.example") == nil)
        }
    }
}

struct PasswordRecordsTests {
    @Test func `the newest record of the address's holder is found; cleared, erased or unknown is none`() async throws {
        try await withVault { vault in
            let (holder, other) = (UUID(), UUID())
            let email = try EmailAddress("wren@müller.example")
            let records = PasswordRecords(database: vault.service)
            #expect(try await records.find(email) == nil)

            let spelling = Reservation(kind: .email, text: "wren@müller.example")
            try await vault.reserve("email", spelling.digest, for: holder)
            #expect(try await records.find(email) == nil)
            try await vault.write("of another", field: "password", of: other, at: 9)
            try await vault.write("not a password", field: "notes", of: holder, at: 9)
            try await vault.write("older", field: "password", of: holder, at: 1)
            try await vault.write("newer", field: "password", of: holder, at: 4)
            let found = try #require(try await records.find(email))
            #expect(found.account == holder)
            #expect(found.record == "newer")
            let inASCII = try EmailAddress("wren@xn--mller-kva.example")
            #expect(try await records.find(inASCII) == found)
            try await vault.reserve("email", Reservation.email(inASCII).digest, for: other)
            #expect(try await records.find(email) == found)
            #expect(try await records.find(inASCII)?.account == other)

            try await vault.write(nil, field: "password", of: holder, at: 5)
            #expect(try await records.find(email) == nil)
            try await vault.owner.query("DELETE FROM vault.content WHERE stream = \(holder)")
            #expect(try await records.find(email) == nil)
        }
    }

    @Test func `a record does not show itself`() {
        let record = PasswordRecord(account: UUID(), record: "scrypt$secret")
        var dumped = ""
        dump(record, to: &dumped)
        #expect(!"\(record) \(String(reflecting: record)) \(dumped)".contains("secret"))
    }
}
