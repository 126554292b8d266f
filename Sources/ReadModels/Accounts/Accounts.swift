package import EventLog

extension ReadModel {
    /// Accounts as they are now.
    package static let accounts = ReadModel(
        embedded: "accounts", version: 1, table: PackageResources.accounts_table_sql,
        fold: [PackageResources.accounts_fold_sql],
        digest: [
            "accounts": [
                "id", "observer", "state", "region", "licence", "geoprivacy", "attribution", "roles", "created_at",
                "version", "position",
            ]
        ])
}
