internal import Domain
package import EventLog

extension ReadModel {
    /// Accounts as they are now.
    package static let accounts = ReadModel(
        embedded: "accounts", version: 2,
        table: [
            PackageResources.accounts_events_sql, PackageResources.event_types_sql, PackageResources.accounts_table_sql,
        ],
        fold: [PackageResources.accounts_fold_sql], folding: [.account],
        digest: [
            "accounts": [
                "id", "observer", "state", "region", "licence", "geoprivacy", "attribution", "roles", "created_at",
                "version", "position",
            ]
        ])
}
