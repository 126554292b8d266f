internal import Domain
package import EventLog

extension ReadModel {
    /// The taxonomy as it is now.
    package static let taxa = ReadModel(
        embedded: "taxa", version: 2,
        table: [
            PackageResources.taxa_events_sql, PackageResources.event_types_sql, PackageResources.taxa_table_sql,
        ],
        fold: [PackageResources.taxa_fold_sql], folding: [.taxon],
        digest: [
            "taxa": [
                "id", "scientific_name", "rank", "parent", "kind", "authorship", "description", "link", "code",
                "synonyms", "names", "sensitivity", "sensitivity_reason", "sensitivity_source", "version", "position",
            ]
        ])
}
