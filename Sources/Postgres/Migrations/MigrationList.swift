internal import Crypto
internal import FoundationEssentials

/// All migrations of a program, in order and without gaps.
package struct MigrationList: Hashable, Sendable {
    /// Numbers 1, 2, 3 ….
    package let migrations: [Migration]

    /// Checks the numbering of files that come in any order.
    ///
    /// - Throws: ``MigrationError/badName(_:)``, ``MigrationError/duplicate(_:_:)``, ``MigrationError/gap(missing:)``.
    package init(files: [(name: String, text: String)]) throws(MigrationError) {
        var migrations: [Migration] = []
        for file in files.sorted(by: { $0.name < $1.name }) {
            let migration = try Migration(fileName: file.name, text: file.text)
            if let last = migrations.last, last.number == migration.number {
                throw .duplicate(last.name, migration.name)
            }
            guard migration.number == migrations.count + 1 else { throw .gap(missing: migrations.count + 1) }
            migrations.append(migration)
        }
        self.migrations = migrations
    }

    /// A digest of names and texts: two lists with the same one make the same schema.
    package var digest: String {
        let parts = migrations.flatMap { [$0.name, $0.checksum] }
        return Hexadecimal.digits(of: SHA256.hash(data: Data(parts.joined(separator: "\n").utf8)))
    }
}
