/// What has been applied to a database, and what has not.
package struct MigrationStatus: Sendable {
    /// A migration as the database remembers it.
    package struct Applied: Hashable, Sendable {
        /// The number at the start of its name.
        package let number: Int
        /// Its file's name then.
        package let name: String
        /// SHA-256 of its text then.
        package let checksum: String
    }

    /// In order of their numbers.
    package let applied: [Applied]
    /// What is still to be applied, in order.
    package let pending: [Migration]

    /// Compares what a database remembers with what a program has.
    ///
    /// - Throws: ``MigrationError/databaseNewer(unknown:)``, ``MigrationError/renamed(applied:file:)``,
    ///   ``MigrationError/drift(name:)``; ``MigrationError/gap(missing:)`` when the database lacks one before the last.
    init(applied: [Applied], known: MigrationList) throws(MigrationError) {
        let unknown = applied.filter { $0.number > known.migrations.count }
        guard unknown.isEmpty else { throw .databaseNewer(unknown: unknown.map(\.name)) }
        for (index, (old, file)) in zip(applied, known.migrations).enumerated() {
            guard old.number == index + 1 else { throw .gap(missing: index + 1) }
            guard old.name == file.name else { throw .renamed(applied: old.name, file: file.name) }
            guard old.checksum == file.checksum else { throw .drift(name: file.name) }
        }
        self.applied = applied
        pending = Array(known.migrations.dropFirst(applied.count))
    }
}
