/// A read model: tables made from the log and nothing else, and the statement that makes them.
///
/// Its tables and its `fold` live in a schema of their own, `<name>_v<version>`; the SQL names them unqualified, so the
/// same text serves following, rebuilding aside, and as-of checks in a throw-away schema. A changed model gets a new
/// version and is built beside the old one; read models have no migrations.
package struct ReadModel: Sendable, Hashable {
    /// The model's name, a lower-case SQL identifier.
    package let name: String
    /// Raised with every change of its tables or fold.
    package let version: Int
    /// Makes the tables, run once in the model's empty schema.
    package let table: String
    /// Makes or replaces `fold(after bigint, upto bigint)`, which turns the events with `after < position <= upto` into
    /// rows. It reads only the log and the model's own tables.
    package let fold: String
    /// What two builds of the model are compared by: table → columns in a fixed order, the key first.
    package let digest: [String: [String]]

    /// Puts a model's definition together.
    package init(name: String, version: Int, table: String, fold: String, digest: [String: [String]]) {
        self.name = name
        self.version = version
        self.table = table
        self.fold = fold
        self.digest = digest
    }

    /// Where the model lives.
    package var schema: String { "\(name)_v\(version)" }
}
