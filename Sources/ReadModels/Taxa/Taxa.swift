package import EventLog

extension ReadModel {
    /// The taxonomy as it is now.
    package static let taxa = ReadModel(
        embedded: "taxa", version: 1, table: PackageResources.taxa_table_sql, fold: [PackageResources.taxa_fold_sql],
        digest: [
            "taxa": [
                "id", "scientific_name", "rank", "parent", "kind", "authorship", "description", "link", "code",
                "synonyms", "names", "sensitivity", "sensitivity_reason", "sensitivity_source", "version", "position",
            ]
        ])
}
