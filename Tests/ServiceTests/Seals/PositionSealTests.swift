import Bytes
import Domain
import Foundation
import Testing

@testable import Service

struct PositionSealTests {
    private let seal = PositionSeal(key: Array(0..<32))
    private let noon = Instant(microsecondsSince1970: 1_777_636_800_000_000)

    /// What opening reports; nil if it succeeds.
    private func fault(_ token: String, epoch: Int64 = 3, at now: Instant) -> PositionSeal.Fault? {
        do {
            _ = try seal.position(token, epoch: epoch, at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [0, 1, 120_482, Int64.max])
    func `a position comes back from its token, in any process`(position: Int64) throws {
        let token = try seal.token(position, epoch: 3, at: noon)
        #expect(token.wholeMatch(of: /3-[A-Za-z0-9_-]{54}/) != nil)
        #expect(try seal.position(token, epoch: 3, at: noon) == position)
        #expect(try PositionSeal(key: Array(0..<32)).position(token, epoch: 3, at: noon) == position)
    }

    @Test func `tokens of one position differ, and none shows the position`() throws {
        let tokens = try (0..<1_000).map { _ in try seal.token(0x0102_0304, epoch: 3, at: noon) }
        #expect(Set(tokens).count == 1_000)
        for token in tokens {
            let bytes = try #require(Base64.url.decode(token.dropFirst(2)))
            #expect(Array(bytes.prefix(4)) == [0, 0, 0x50, 0x5E], "the day")
            #expect(!bytes.dropFirst(4).contains([1, 2, 3, 4]))
        }
    }

    @Test func `a token is good until the next UTC day ends`() throws {
        let midnight = Instant(startOf: try CivilDate("2026-05-01"))
        for moment in [midnight, noon, midnight.adding(seconds: 86_399)] {
            let token = try seal.token(7, epoch: 3, at: moment)
            #expect(fault(token, at: midnight) == nil)
            #expect(fault(token, at: midnight.adding(seconds: 2 * 86_400 - 1)) == nil)
            #expect(fault(token, at: midnight.adding(seconds: 2 * 86_400)) == .unreadable)
        }
        let ahead = try seal.token(7, epoch: 3, at: midnight)
        #expect(fault(ahead, at: midnight.adding(seconds: -300)) == nil, "of a process whose clock is ahead")
        #expect(fault(ahead, at: midnight.adding(seconds: -301)) == .unreadable)
    }

    @Test func `a token of another epoch is not opened`() throws {
        let token = try seal.token(7, epoch: 3, at: noon)
        #expect(fault(token, epoch: 2, at: noon) == .otherEpoch)
        #expect(fault(token, epoch: 4, at: noon) == .otherEpoch)
        #expect(fault("4-" + token.dropFirst(2), epoch: 4, at: noon) == .unreadable, "the epoch is authenticated")
        #expect(fault("2-", at: noon) == .otherEpoch)
    }

    @Test func `everything else is unreadable`() throws {
        let token = try seal.token(7, epoch: 3, at: noon)
        for text in ["", "7", "3-7", "-", "x-7", "0" + token, "+3" + token.dropFirst(), token + "A", token + "="] {
            #expect(fault(text, at: noon) == .unreadable, "\(text)")
        }
        for other in [PositionSeal(key: Array(1..<33)), PositionSeal(key: [])] {
            #expect(fault(try other.token(7, epoch: 3, at: noon), at: noon) == .unreadable)
        }
        let cursor = DailySeal(key: Array(0..<32), purpose: "page cursor")
        let foreign = try cursor.seal([UInt8](repeating: 0, count: 8), context: [0, 0, 0, 0, 0, 0, 0, 3], at: noon)
        #expect(fault("3-" + Base64.url.encode(foreign), at: noon) == .unreadable, "sealed for another purpose")
    }

    @Test func `any change is noticed, of the day too`() throws {
        let token = Array(try seal.token(7, epoch: 3, at: noon).utf8)
        for index in 2..<token.count {
            for replacement in "Az-_".utf8 where token[index] != replacement {
                var changed = token
                changed[index] = replacement
                #expect(fault(String(decoding: changed, as: UTF8.self), at: noon) == .unreadable)
            }
        }
    }
}

struct DailySealTests {
    private let seal = DailySeal(key: Array(0..<32), purpose: "a test")

    @Test func `a value of any length and day comes back, with its day`() throws {
        for (length, day) in [(0, "1970-01-01"), (1, "2026-05-01"), (300, "2126-12-31")] {
            let (value, date) = ([UInt8](repeating: 7, count: length), try CivilDate(day))
            let sealed = try seal.seal(value, context: [1], at: Instant(startOf: date))
            #expect(sealed.count == length + DailySeal.overhead)
            let opened = try #require(seal.open(sealed, context: [1]))
            #expect(opened.value == value && opened.day == date)
            #expect(seal.open(sealed, context: [2]) == nil)
            for count in 0..<sealed.count { #expect(seal.open(Array(sealed.prefix(count)), context: [1]) == nil) }
        }
    }

    @Test func `what is sealed repeatably is the same each time, and another value or context makes another one`()
        throws
    {
        let sealed = try seal.sealRepeatably([7, 8], context: [1])
        #expect(try seal.sealRepeatably([7, 8], context: [1]) == sealed)
        #expect(seal.open(sealed, context: [1])?.value == [7, 8] && seal.open(sealed, context: [2]) == nil)
        for (value, context) in [([7, 9], [1]), ([7, 8], [2]), ([8], [1, 7])] as [([UInt8], [UInt8])] {
            let other = try seal.sealRepeatably(value, context: context)
            #expect(other[4..<16] != sealed[4..<16])
        }
        let foreign = DailySeal(key: Array(1..<33), purpose: "a test")
        #expect(try foreign.sealRepeatably([7, 8], context: [1])[4..<16] != sealed[4..<16])
    }

    @Test func `each day has a key of its own`() throws {
        let day = Instant(startOf: try CivilDate("2026-05-01"))
        var sealed = try seal.seal([7], context: [], at: day)
        let next = try seal.seal([7], context: [], at: day.adding(seconds: 86_400))
        sealed.replaceSubrange(0..<4, with: next.prefix(4))
        #expect(seal.open(sealed, context: []) == nil)
        #expect(seal.open(next, context: [])?.value == [7])
    }
}
