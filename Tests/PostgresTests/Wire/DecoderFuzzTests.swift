import Foundation
import TestRandom
import Testing

@testable import Postgres

/// Whatever the wire brings, a decoder throws or returns; it never traps. A failure here is a crash of the test run.
struct DecoderFuzzTests {
    private static let types: [PostgresType] = [
        .bool, .bytea, .int8, .int2, .int4, .text, .oid, .json, .jsonb, .float4, .float8, .timestamptz, .uuid,
        .boolArray, .byteaArray, .int8Array, .int2Array, .int4Array, .textArray, .jsonArray,
        .jsonbArray, .float8Array, .timestamptzArray, .uuidArray, PostgresType(rawValue: 17_000),
    ]

    @Test(arguments: 0..<8 as Range<UInt64>) func `random bytes`(seed: UInt64) {
        var generator = RandomSource(seed: seed)
        for _ in 0..<1000 {
            let bytes = (0..<Int.random(in: 0...64, using: &generator)).map { _ in
                // Small numbers are likelier to get past the first checks.
                Bool.random(using: &generator)
                    ? UInt8.random(in: 0...3, using: &generator) : UInt8(truncatingIfNeeded: generator.next())
            }
            decodeAsEverything(bytes)
        }
    }

    @Test(arguments: 100..<104 as Range<UInt64>) func `truncated and damaged values`(seed: UInt64) throws {
        var generator = RandomSource(seed: seed)
        let valid: [[UInt8]] = try [
            encoded(Values.int64s), encoded(Values.bytes.prefix(4).map { $0 }),
            encoded([1, nil, 3] as [Int?]), encoded(Values.dates), encoded(["a", "鶴"]), encoded(Values.jsons),
        ]
        for bytes in valid {
            for length in 0..<min(bytes.count, 80) { decodeAsEverything(Array(bytes.prefix(length))) }
            for _ in 0..<50 {
                var damaged = bytes
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8(
                        truncatingIfNeeded: generator.next())
                }
                decodeAsEverything(damaged)
            }
        }
    }

    private func decodeAsEverything(_ bytes: [UInt8]) {
        for type in Self.types {
            attempt(Bool.self, bytes, type)
            attempt(Int16.self, bytes, type)
            attempt(Int32.self, bytes, type)
            attempt(Int64.self, bytes, type)
            attempt(Int.self, bytes, type)
            attempt(Double.self, bytes, type)
            attempt(String.self, bytes, type)
            attempt(UUID.self, bytes, type)
            attempt(Date.self, bytes, type)
            attempt([UInt8].self, bytes, type)
            attempt(PostgresJSON.self, bytes, type)
            attempt([[UInt8]].self, bytes, type)
        }
    }

    private func attempt<Value>(_ value: Value.Type, _ bytes: [UInt8], _ type: PostgresType)
    where Value: PostgresDecodable & PostgresArrayDecodable {
        if Value.canDecode(type) { _ = try? decoded(Value.self, bytes, type) }
        if Value.canDecodeArray(type) {
            _ = try? decoded([Value].self, bytes, type)
            _ = try? decoded([Value?].self, bytes, type)
        }
    }

    private func attempt<Value>(_ value: Value.Type, _ bytes: [UInt8], _ type: PostgresType)
    where Value: PostgresDecodable {
        if Value.canDecode(type) { _ = try? decoded(Value.self, bytes, type) }
    }
}
