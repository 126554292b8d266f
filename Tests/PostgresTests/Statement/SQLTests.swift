import Testing

@testable import Postgres

struct SQLTests {
    @Test func `every interpolated value is bound`() {
        let evil = "'; DROP TABLE birds; --"
        let sql: SQL = "SELECT \(1), \(evil), \(Int?.none), \([1, 2])"
        #expect(sql.text == "SELECT $1, $2, $3, $4")
        #expect(sql.binds.types == [.int8, .text, .int8, .int8Array])
    }

    @Test func `fragments are renumbered`() {
        let inner: SQL = "b = \(2) AND c = \(3)"
        let outer: SQL = "a = \(1) AND (\(fragment: inner)) OR (\(fragment: inner)) AND d = \("x")"
        #expect(outer.text == "a = $1 AND (b = $2 AND c = $3) OR (b = $4 AND c = $5) AND d = $6")
        #expect(outer.binds.types == [.int8, .int8, .int8, .int8, .int8, .text])
    }

    @Test func `fragments of more than nine values are renumbered`() {
        var list: SQL = "0"
        for number in 1...12 { list = "\(fragment: list), \(number)" }
        let sql: SQL = "\(true), \(fragment: list), \(false)"
        #expect(sql.text == "$1, 0, " + (2...13).map { "$\($0)" }.joined(separator: ", ") + ", $14")
        #expect(sql.bindCount == 14)
    }

    @Test func `text before a placeholder may be outside ASCII`() {
        let inner: SQL = "'鶴' = \(1) 'ü'"
        let outer: SQL = "é \(0) \(fragment: inner)"
        #expect(outer.text == "é $1 '鶴' = $2 'ü'")
    }

    @Test func `a text with numbers of its own is no fragment`() throws {
        let file = SQL(unsafeText: "SELECT $2, $1", binds: [1, "two"])
        #expect(file.bindCount == 2)
        let nested: SQL = "SELECT (\(fragment: file))"
        #expect(throws: PostgresError.self) { try nested.checked(for: .here()) }
        let plain: SQL = "SELECT (\(fragment: SQL(unsafeText: "SELECT 1")))"
        #expect(try plain.checked(for: .here()).text == "SELECT (SELECT 1)")
    }

    @Test(arguments: [
        ("plain", "\"plain\""), ("two\"quotes\"", "\"two\"\"quotes\"\"\""), ("", "\"\""),
        ("quote\"\u{301}", "\"quote\"\"\u{301}\""),
    ])
    func `identifiers are quoted`(name: String, quoted: String) {
        let sql: SQL = "\(identifier: name)"
        #expect(Array(sql.text.unicodeScalars) == Array(quoted.unicodeScalars))
    }

    @Test(arguments: [
        ("plain", "'plain'"), ("it's", "'it''s'"), ("back\\slash'", " E'back\\\\slash'''"),
        ("'\u{301}", "'''\u{301}'"),
    ])
    func `literals are quoted`(text: String, quoted: String) {
        let sql: SQL = "\(literal: text)"
        #expect(Array(sql.text.unicodeScalars) == Array(quoted.unicodeScalars))
    }

    @Test func `what cannot be sent is rejected beforehand`() {
        let nul = "a\0b"
        for sql: SQL in ["SELECT \(nul)", "SELECT \(identifier: nul)", "SELECT \(literal: nul)", SQL(unsafeText: nul)] {
            #expect {
                try sql.checked(for: .here())
            } throws: { error in
                let error = error as? PostgresError
                return error?.kind == .encoding && error?.wasSent == false
            }
        }
    }

    @Test func `too many values are rejected`() throws {
        let limit = Array(repeating: 0 as any PostgresEncodable, count: 65_535)
        _ = try SQL(unsafeText: "", binds: limit).checked(for: .here())
        #expect(throws: PostgresError.self) { try SQL(unsafeText: "", binds: limit + [0]).checked(for: .here()) }
    }

    @Test func `description shows no value`() {
        let sql: SQL = "SELECT \("secret")"
        #expect(!"\(sql)".contains("secret"))
    }
}
