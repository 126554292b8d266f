import Foundation
import Postgres
import TestRandom
import TestSupport
import Testing

/// Values on their way through a real server, compared by the server itself with the same value written as SQL.
@Suite(.hangs) struct TypesOnServerTests {
    @Test func `every type survives the server`() async throws {
        try await withConnection { connection in
            try await roundTrip(connection, [true, false])
            try await roundTrip(connection, Values.int16s)
            try await roundTrip(connection, Values.int32s)
            try await roundTrip(connection, Values.int64s)
            try await roundTrip(connection, Values.int64s.map { Int($0) })
            try await roundTrip(connection, Values.doubles)
            try await roundTrip(connection, Values.strings)
            try await roundTrip(connection, Values.bytes)
            try await roundTrip(connection, Values.dates)
            try await roundTrip(connection, [UUID(), UUID()])
            try await roundTrip(connection, Values.jsons)
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>) func `random values survive the server`(seed: UInt64) async throws {
        var generator = RandomSource(seed: seed)
        let numbers = (0..<200).map { _ in Int64(bitPattern: generator.next()) }
        let dates = (0..<200).map { _ in Values.date(using: &generator) }
        let strings = (0..<200).map { _ in Values.string(using: &generator) }
        try await withConnection { connection in
            try await roundTrip(connection, numbers)
            try await roundTrip(connection, dates)
            try await roundTrip(connection, strings)
        }
    }

    @Test func `the server understands what we mean`() async throws {
        try await withConnection { connection in
            let time = Values.date(microseconds: 811_692_800_123_456)
            let id = try #require(UUID(uuidString: "00112233-4455-6677-8899-aabbccddeeff"))
            let row = try #require(
                try await connection.query(
                    """
                    SELECT (\(time) AT TIME ZONE 'UTC')::text AS time, \(id)::text AS id,
                        \([1, nil, 3])::text AS array, encode(\([UInt8]([0, 255])), 'hex') AS bytes,
                        \(-0.5)::text AS double,
                        \([String]())::text AS empty, \(String?.none) IS NULL AS null, \("é鶴")::text AS text
                    """
                ).first)
            #expect(try row.decode("time") == "2026-09-21 14:13:20.123456")
            #expect(try row.decode("id") == "00112233-4455-6677-8899-aabbccddeeff")
            #expect(try row.decode("array") == "{1,NULL,3}")
            #expect(try row.decode("bytes") == "00ff")
            #expect(try row.decode("double") == "-0.5")
            #expect(try row.decode("empty") == "{}")
            #expect(try row.decode("null", as: Bool.self))
            #expect(try row.decode("text") == "é鶴")
        }
    }

    @Test func `JSON keeps its text and jsonb does not`() async throws {
        try await withConnection { connection in
            let written = PostgresJSON(#"{"b": 1,"a" :2, "b":3}"#)
            try await connection.query("CREATE TEMP TABLE j (kept json, parsed jsonb)")
            try await connection.query("INSERT INTO j VALUES (\(written), \(written))")
            let row = try #require(try await connection.query("SELECT kept, parsed FROM j").first)
            #expect(try row.decode("kept") == written)
            #expect(try row.decode("parsed") == PostgresJSON(#"{"a": 2, "b": 3}"#))
            #expect(
                try await connection.query("SELECT \(written)::jsonb AS j").first?.decode("j")
                    == PostgresJSON(#"{"a": 2, "b": 3}"#))
        }
    }

    @Test func `smaller types are read into larger ones`() async throws {
        try await withConnection { connection in
            let row = try #require(
                try await connection.query(
                    """
                    SELECT 1::int2 AS small, 2::int4 AS int, 3::oid AS oid,
                        1.5::float4 AS real, 'x'::varchar(5) AS varchar,
                        'y '::char(3) AS char, 'z'::name AS name, ARRAY[1, 2]::int4[] AS ints, 'lit' AS literal
                    """
                ).first)
            #expect(try row.decode("small", as: Int.self) == 1)
            #expect(try row.decode("int", as: Int64.self) == 2)
            #expect(try row.decode("oid", as: Int.self) == 3)
            #expect(try row.decode("real", as: Double.self) == 1.5)
            #expect(try row.decode("varchar", as: String.self) == "x")
            #expect(try row.decode("char", as: String.self) == "y  ")
            #expect(try row.decode("name", as: String.self) == "z")
            #expect(try row.decode("ints", as: [Int].self) == [1, 2])
            #expect(try row.decode("literal", as: String?.self) == "lit")
        }
    }

    @Test(arguments: [["a", "b", "c"], ["c", "a"], ["b", "b", "c"]])
    func `columns are found by name in any order, row by row`(names: [String]) async throws {
        try await withConnection { connection in
            let result = try await connection.query(
                "SELECT n AS a, n + 10 AS b, n + 20 AS c FROM generate_series(1, 3) n")
            let offsets = ["a": 0, "b": 10, "c": 20]
            for (index, row) in result.rows.enumerated() {
                for name in names {
                    #expect(try row.decode(name, as: Int.self) == index + 1 + (offsets[name] ?? 0))
                }
                #expect(throws: PostgresError.self) { try row.decode("d", as: Int.self) }
            }
        }
    }

    @Test func `what does not fit says where`() async throws {
        try await withConnection { connection in
            let row = try #require(try await connection.query("SELECT 1.5::numeric AS n, NULL::int8 AS nothing").first)
            for (column, part) in [("n", "column n, row 0"), ("nothing", "is NULL"), ("absent", "no column absent")] {
                #expect {
                    try row.decode(column, as: Int.self)
                } throws: { error in
                    (error as? PostgresError)?.kind == .decoding && String(reflecting: error).contains(part)
                        && String(reflecting: error).contains("TypesOnServerTests.swift")
                }
            }
            #expect(throws: PostgresError.self) { try row.decode(2, as: Int.self) }
            #expect(throws: PostgresError.self) { try row.decode(-1, as: Int.self) }
            #expect(try row.decode("nothing", as: Int?.self) == nil)
            #expect {
                try row.decode("nothing", as: String?.self)
            } throws: {
                String(reflecting: $0).contains("column nothing, row 0, as String: the column has int8")
            }
        }
    }
}

private func roundTrip<Value>(_ connection: PostgresConnection, _ values: [Value]) async throws
where
    Value: PostgresEncodable & PostgresDecodable & PostgresArrayEncodable & PostgresArrayDecodable & Equatable
        & Sendable
{
    for value in values {
        let row = try await connection.query("SELECT \(value) AS value, \(Value?.none) AS nothing").first
        #expect(try row?.decode("value") == value)
        #expect(try row?.decode("nothing", as: Value?.self) == .some(nil))
    }
    let optionals: [Value?] = [nil] + values + [nil]
    let row = try #require(
        try await connection.query("SELECT \(values) AS values, \(optionals) AS optionals, \([Value]()) AS none").first)
    #expect(try row.decode("values") == values)
    #expect(try row.decode("optionals") == optionals)
    #expect(try row.decode("none", as: [Value].self).isEmpty)
}
