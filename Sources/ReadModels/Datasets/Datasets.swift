internal import Domain
package import EventLog

extension ReadModel {
    /// Datasets and the imports into them, as they are now.
    package static let datasets = ReadModel(
        embedded: "datasets", version: 2,
        table: [
            PackageResources.datasets_events_sql, PackageResources.event_types_sql, PackageResources.datasets_table_sql,
        ],
        fold: [PackageResources.datasets_fold_sql], folding: [.dataset],
        digest: [
            "datasets": ["id", "licence", "republish", "created_at", "version", "position"],
            "batches": [
                "batch", "dataset", "file", "started", "started_at", "finished", "finished_at", "accepted", "known",
                "corrected", "withdrawn", "refused", "undone", "undone_at", "undone_records",
            ],
        ])
}
