import Bytes
import Foundation
import TestRandom
import Testing

struct BytesTests {
    @Test func `hexadecimal digits are lower-case, and either case is read`() {
        #expect(Hexadecimal.digits(of: [0x00, 0x0f, 0xa9, 0xff]) == "000fa9ff")
        #expect("09afAF".utf8.map(Hexadecimal.value) == [0, 9, 10, 15, 10, 15])
        #expect("/:@G`g".utf8.allSatisfy { Hexadecimal.value($0) == nil })
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `base 64 is Foundation's without padding, and has one text a value`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let bytes = random.bytes(Int(seed))
        let foundation = Data(bytes).base64EncodedString().replacing("=", with: "")
        #expect(Base64.standard.encode(bytes) == foundation)
        #expect(Base64.standard.decode(foundation) == bytes)
        let url = foundation.replacing("+", with: "-").replacing("/", with: "_")
        #expect(Base64.url.encode(bytes) == url)
        #expect(Base64.url.decode(url) == bytes)
    }

    @Test(arguments: ["A", "AB", "AA=", "A!AA", "é", "++++"])
    func `text that is not base 64 is rejected`(text: String) {
        #expect(Base64.url.decode(text) == nil)
    }

    @Test(arguments: RandomSource.seeds(50))
    func `UUIDs are written in lower case and read in either`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let id = random.uuid()
        var bytes: [UInt8] = []
        UUIDText.append(id, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == id.uuidString.lowercased())
        #expect(UUIDText.parse(id.uuidString) == id)
        #expect(UUIDText.parse(id.uuidString.lowercased()) == id)
        #expect(UUIDText.parse(id.uuidString.replacing("-", with: "+")) == nil)
        #expect(UUIDText.parse(String(id.uuidString.dropLast()) + "g") == nil)
        #expect(UUIDText.parse(String(id.uuidString.dropLast())) == nil)
    }

    @Test(arguments: RandomSource.seeds(50))
    func `percent-encoding keeps what RFC 3986 calls unreserved`(seed: UInt64) {
        #expect(PercentEncoding.encode("aZ09-._~/ é") == "aZ09-._~%2F%20%C3%A9")
        var random = RandomSource(seed: seed)
        let text = random.text()
        #expect(PercentEncoding.decode(query: PercentEncoding.encode(text)[...]) == text)
    }

    @Test func `a query's plus is a space; broken escapes, NUL and other encodings are rejected`() {
        #expect(PercentEncoding.decode(query: "a+b%2bc%C3%a9") == "a b+cé")
        for text in ["%", "%4", "%4g", "%00", "%ff"] { #expect(PercentEncoding.decode(query: text[...]) == nil) }
    }

    @Test func `integers are written and read with the most significant byte first`() {
        #expect(Int64(-2).bigEndianBytes == [255, 255, 255, 255, 255, 255, 255, 254])
        #expect(UInt32(0x0102_03ff).bigEndianBytes == [1, 2, 3, 255])
        for number in [Int64.min, -1, 0, 258, .max] { #expect(Int64(bigEndianBytes: number.bigEndianBytes) == number) }
        #expect(UInt16(bigEndianBytes: [1, 2]) == 258 && UInt8(bigEndianBytes: [200]) == 200)
        #expect(UInt16(bigEndianBytes: [1]) == nil && UInt16(bigEndianBytes: [0, 0, 1]) == nil)
    }

    @Test func `white space goes from both ends and stays within`() {
        #expect(" \t a b\u{a0}\n".trimmed == "a b")
        #expect(" \n".trimmed == "" && "ab".trimmed == "ab")
        #expect("\t a\u{a0} ".trimmingSpaces() == "a\u{a0}")
        #expect(" \t".trimmingSpaces() == "")
    }
}
