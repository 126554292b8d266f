import Foundation
import Postgres
import Testing

struct MigrationListTests {
    private func list(_ names: String...) throws(MigrationError) -> MigrationList {
        try MigrationList(files: names.map { ($0, "SELECT 1") })
    }

    @Test func `files come in any order and leave in that of their numbers`() throws {
        let list = try list("0003_c_c.sql", "0001_a_a.sql", "0002_b_b.sql")
        #expect(list.migrations.map(\.number) == [1, 2, 3])
        #expect(list.migrations.map(\.name) == ["0001_a_a.sql", "0002_b_b.sql", "0003_c_c.sql"])
    }

    @Test(arguments: [
        "1_create_log.sql", "00001_create_log.sql", "0001-create-log.sql", "0001_create.sql", "0001_Create_log.sql",
        "0001_create_log.sql.bak", "0001_create_log", "create_log.sql", "٠٠٠١_create_log.sql",
        "0001_create__log.sql",
    ])
    func `a name is four digits, a verb and an object`(name: String) {
        #expect {
            try list(name)
        } throws: { error in
            guard case .badName(name)? = error as? MigrationError else { return false }
            return "\(error)".contains(name)
        }
    }

    @Test func `two files with one number are rejected by name`() {
        #expect {
            try list("0001_a_a.sql", "0002_b_b.sql", "0002_c_c.sql")
        } throws: { error in
            guard case .duplicate("0002_b_b.sql", "0002_c_c.sql")? = error as? MigrationError else { return false }
            return true
        }
    }

    @Test(arguments: [("0002_a_a.sql", 1), ("0003_a_a.sql", 2)])
    func `a gap is rejected with the number that is missing`(name: String, missing: Int) {
        #expect {
            missing == 1 ? try list(name) : try list("0001_a_a.sql", name)
        } throws: { error in
            guard case .gap(missing)? = error as? MigrationError else { return false }
            return true
        }
    }

    @Test func `the checksum is the text's SHA-256`() throws {
        let migration = try Migration(fileName: "0001_a_a.sql", text: "abc")
        #expect(migration.checksum == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func `the digest changes with any name or text`() throws {
        let digests = try [("0001_a_a.sql", "x"), ("0001_a_b.sql", "x"), ("0001_a_a.sql", "y")].map {
            try MigrationList(files: [$0]).digest
        }
        #expect(Set(digests).count == 3)
    }

    @Test func `a folder gives its .sql files and nothing else`() throws {
        try withScratchFolder { path in
            for (name, text) in [("0001_a_a.sql", "SELECT 1"), ("README.md", "no"), (".0002_b_b.sql.swp", "no")] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
            }
            #expect(try MigrationFolder(path: path).load().migrations.map(\.name) == ["0001_a_a.sql"])
        }
    }

    @Test func `a folder that is missing and a file that is not UTF-8 are named`() throws {
        try withScratchFolder { path in
            #expect(throws: MigrationError.self) { try MigrationFolder(path: path + "/none").load() }
            try Data([0x2d, 0x2d, 0xff]).write(to: URL(fileURLWithPath: path + "/0001_a_a.sql"))
            #expect {
                try MigrationFolder(path: path).load()
            } throws: { error in
                guard case .unreadable(path + "/0001_a_a.sql", "it is not UTF-8")? = error as? MigrationError else {
                    return false
                }
                return true
            }
        }
    }
}
