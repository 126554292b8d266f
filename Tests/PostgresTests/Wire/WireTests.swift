import Foundation
import TestRandom
import Testing

@testable import Postgres

/// Binary formats without a server.
struct WireTests {
    @Test func `every type comes back as it went`() throws {
        try roundTrip([true, false])
        try roundTrip(Values.int16s)
        try roundTrip(Values.int32s)
        try roundTrip(Values.int64s)
        try roundTrip(Values.int64s.map { Int($0) })
        try roundTrip(Values.doubles)
        try roundTrip(Values.strings)
        try roundTrip(Values.bytes)
        try roundTrip(Values.dates)
        try roundTrip(Values.jsons)
        try roundTrip([UUID(), UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255))])
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func `random values come back as they went`(seed: UInt64) throws {
        var generator = RandomSource(seed: seed)
        for _ in 0..<50 {
            try roundTrip([Int64(bitPattern: generator.next())])
            try roundTrip([Values.date(using: &generator)])
            try roundTrip([Values.string(using: &generator)])
        }
    }

    @Test func `dates outside the calendar are rejected`() {
        let outside: [TimeInterval] = [.nan, .infinity, -.infinity, 1e300, -1e300, 9_224_318_016_000, -210_866_803_201]
        for seconds in outside {
            #expect(throws: PostgresEncodingFault.self) {
                _ = try encoded(Date(timeIntervalSince1970: seconds))
            }
        }
        for infinity in [Int64.max, Int64.min] {
            #expect(throws: PostgresDecodingFault.self) { try decoded(Date.self, encoded(infinity), .timestamptz) }
        }
    }

    @Test func `smaller integers are read`() throws {
        #expect(try decoded(Int.self, encoded(Int16.min), .int2) == Int(Int16.min))
        #expect(try decoded(Int64.self, encoded(Int32.min), .int4) == Int64(Int32.min))
        #expect(try decoded(Int64.self, [255, 255, 255, 255], .oid) == 4_294_967_295)
        #expect(try decoded(Double.self, encoded(Int32(bitPattern: Float(1.5).bitPattern)), .float4) == 1.5)
        #expect(throws: PostgresDecodingFault.wrongType(.int8)) { try decoded(Int32.self, encoded(Int64(1)), .int8) }
    }

    @Test func `types that do not fit are rejected`() {
        #expect(throws: PostgresDecodingFault.wrongType(.text)) { try decoded(Int.self, encoded("1"), .text) }
        #expect(throws: PostgresDecodingFault.wrongType(.json)) { try decoded(String.self, encoded("{}"), .json) }
        #expect(throws: PostgresDecodingFault.wrongType(.int8)) { try decoded(Date.self, encoded(Int64(1)), .int8) }
        #expect(throws: PostgresDecodingFault.wrongType(.textArray)) {
            try decoded([Int].self, encoded(["a"]), .textArray)
        }
    }

    @Test func `lengths are checked`() {
        for length in 0..<20 where length != 8 {
            #expect(throws: PostgresDecodingFault.self) {
                try decoded(Int64.self, Array(repeating: 0, count: length), .int8)
            }
        }
        #expect(throws: PostgresDecodingFault.malformed("a bool is neither 0 nor 1")) {
            try decoded(Bool.self, [2], .bool)
        }
        #expect(throws: PostgresDecodingFault.invalidUTF8) { try decoded(String.self, [0xc3, 0x28], .text) }
        #expect(throws: PostgresDecodingFault.malformed("the version of jsonb is not 1")) {
            try decoded(PostgresJSON.self, [2, 123, 125], .jsonb)
        }
    }

    @Test func `NULL is rejected unless optional`() throws {
        #expect(throws: PostgresDecodingFault.unexpectedNull) { try Int.decodeValue(nil, as: .int8) }
        #expect(try Int?.decodeValue(nil, as: .int8) == nil)
        #expect(throws: PostgresDecodingFault.unexpectedNull) {
            try decoded([Int].self, encoded([1, nil]), .int8Array)
        }
        #expect(try decoded([Int?].self, encoded([1, nil]), .int8Array) == [1, nil])
    }

    @Test func `arrays may start anywhere but have one dimension`() throws {
        var bytes = try encoded([7, 8])
        bytes[19] = 5  // lower bound
        #expect(try decoded([Int].self, bytes, .int8Array) == [7, 8])
        bytes[3] = 2  // dimensions
        #expect(throws: PostgresDecodingFault.self) { try decoded([Int].self, bytes, .int8Array) }
    }

    @Test func `a huge count is rejected before memory is taken`() throws {
        var bytes = try encoded([1])
        bytes.replaceSubrange(12..<16, with: [0x7f, 0xff, 0xff, 0xff])
        #expect(throws: PostgresDecodingFault.tooShort) { try decoded([Int].self, bytes, .int8Array) }
    }

    private enum Colour: String, PostgresEncodable, PostgresDecodable { case grey, white }

    @Test func `raw values stand for their enums`() throws {
        #expect(try decoded(Colour.self, encoded(Colour.white), .text) == .white)
        #expect(throws: PostgresDecodingFault.self) { try decoded(Colour.self, encoded("pink"), .text) }
    }
}

/// A value's binary form.
func encoded(_ value: some PostgresEncodable) throws -> [UInt8] {
    var writer = PostgresWriter()
    try value.encode(into: &writer)
    return writer.bytes
}

/// A value from its binary form.
func decoded<Value: PostgresDecodable>(
    _ type: Value.Type, _ bytes: [UInt8], _ postgresType: PostgresType
) throws -> Value {
    // Exactly as large as it is, so that a sanitizer sees a step too far.
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: bytes)
    return try Value.decodeValue(UnsafeRawBufferPointer(copy), as: postgresType)
}

private func roundTrip<Value>(_ values: [Value]) throws
where
    Value: PostgresEncodable & PostgresDecodable & PostgresArrayEncodable & PostgresArrayDecodable & Equatable
{
    for value in values {
        #expect(try decoded(Value.self, encoded(value), Value.postgresType) == value)
        #expect(try decoded(Value?.self, encoded(Optional(value)), Value.postgresType) == value)
    }
    #expect(try decoded([Value].self, encoded(values), Value.postgresArrayType) == values)
    #expect(try decoded([Value].self, encoded([Value]()), Value.postgresArrayType) == [])
    let withNulls = [nil] + values.map { Optional($0) } + [nil]
    #expect(try decoded([Value?].self, encoded(withNulls), Value.postgresArrayType) == withNulls)
}
