package import EventLog

extension ReadModel {
    /// What anyone may see of sightings, as of what was known and what may be shown.
    package static let sightingsPublic = ReadModel(
        embedded: "sightings_public", version: 3, table: PackageResources.sightings_public_table_sql,
        fold: [
            PackageResources.sightings_public_generalise_sql, PackageResources.sightings_public_taxa_sql,
            PackageResources.sightings_public_pieces_sql, PackageResources.sightings_public_fold_sql,
        ],
        digest: [
            "records": PublicSighting.columns,
            "withheld": ["stream", "valid", "shown", "taxon", "country", "year"],
            "origins": ["id", "stream"],
            "observers": ["account", "observer"],
            "taxon_parents": ["taxon", "since", "parent"],
            "taxon_categories": ["taxon", "since", "category"],
            "taxon_restrictions": ["taxon", "position", "category"],
        ])
}
