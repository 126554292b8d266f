import Foundation
import TestRandom
import Testing

@testable import Service

struct ScryptRecordTests {
    /// The first 32 bytes of the published 64: a shorter output of scrypt is a prefix of a longer one.
    /// - Source: RFC 7914 section 12, third vector.
    @Test func `the derivation is scrypt`() throws {
        let hash: [UInt8] = [
            0x70, 0x23, 0xbd, 0xcb, 0x3a, 0xfd, 0x73, 0x48, 0x46, 0x1c, 0x06, 0xcd, 0x81, 0xfd, 0x38, 0xeb,
            0xfd, 0xa8, 0xfb, 0xba, 0x90, 0x4f, 0x8e, 0x3e, 0xa9, 0xb5, 0x43, 0xf6, 0x54, 0x5d, 0xa1, 0xf2,
        ]
        let cost = try #require(ScryptCost(logRounds: 14, blockSize: 8, parallelism: 1))
        let record = ScryptRecord(cost: cost, salt: Array("SodiumChloride".utf8), hash: hash)
        #expect(try record.fits("pleaseletmein"))
        #expect(try !record.fits("pleaseletmeim"))
    }

    @Test func `a record is written with its cost, its salt and its hash, and is read back`() throws {
        let record = try ScryptRecord.make("correct horse", cost: .least)
        let parts = record.description.split(separator: "$").map(String.init)
        #expect(parts.prefix(4) == ["scrypt", "1", "1", "1"])
        #expect(parts[4].count == 22)
        #expect(parts[5].count == 43)
        let read = try #require(ScryptRecord(record.description))
        #expect(read.salt == record.salt)
        #expect(read.hash == record.hash)
        #expect(try read.fits("correct horse"))
        #expect(ScryptCost.standard == ScryptCost(logRounds: 15, blockSize: 8, parallelism: 3))
    }

    @Test func `two records of one password differ`() throws {
        let records = try (0..<50).map { _ in try ScryptRecord.make("correct horse", cost: .least).description }
        #expect(Set(records).count == 50)
    }

    @Test(arguments: RandomSource.seeds(200))
    func `passwords of any form fit their own record and no other, the empty one included`(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let password = random.text(length: 0...300)
        let record = try ScryptRecord.make(password, cost: .least)
        #expect(try record.fits(password))
        #expect(try !record.fits(password + "x"))
        #expect(try !record.fits(String(password.unicodeScalars.dropLast()) + "\u{1F426}"))
    }

    @Test func `a spelling that only looks the same is the same password: é is é, however it was typed`() throws {
        let record = try ScryptRecord.make("caf\u{e9} au lait", cost: .least)
        #expect(try record.fits("cafe\u{301} au lait"))
        #expect(try !record.fits("cafe au lait"))
    }

    @Test func `nothing fits the record that stands for none`() throws {
        #expect(try !ScryptRecord.unmatchable(.least).fits(""))
        #expect(try !ScryptRecord.unmatchable(.least).fits("correct horse"))
    }

    @Test(arguments: [
        "", "scrypt", "scrypt$15$8$3", "bcrypt$1$1$1$AAAAAAAAAAAAAAAAAAAAAA$", "scrypt$1$1$1$$",
        "scrypt$40$8$1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "scrypt$20$8$1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "scrypt$-1$8$1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "scrypt$99999999999999999999$8$1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "scrypt$1$1$1$A!AAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "scrypt$1$1$1$AAAAAAAAAAAAAAAAAAAAAA$AAAA", "scrypt$1$1$1$AAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ])
    func `what is no record, or asks for too much, is rejected`(text: String) {
        #expect(ScryptRecord(text) == nil)
    }

    @Test(arguments: RandomSource.seeds(300))
    func `records damaged anywhere never trap`(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        var bytes = Array(try ScryptRecord.make("correct horse", cost: .least).description.utf8)
        for _ in 0...random.int(in: 0...3) {
            let index = random.int(in: 0...(bytes.count - 1))
            if random.isTrue(oneIn: 2) { bytes.remove(at: index) } else { bytes[index] = random.bytes(1)[0] }
        }
        // A digit of the cost may have become another one; such a record is sound and only fits nothing.
        if let record = ScryptRecord(String(decoding: bytes, as: UTF8.self)), record.cost == .least {
            _ = try record.fits("correct horse")
        }
    }
}
