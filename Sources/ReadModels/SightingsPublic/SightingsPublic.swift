internal import Domain
package import EventLog

extension ReadModel {
    /// The public values of sightings, as of P (knowledge) and R (restrictions).
    package static let sightingsPublic = ReadModel(
        embedded: "sightings_public", version: 4,
        table: [
            PackageResources.sightings_public_events_sql, PackageResources.event_types_sql,
            PackageResources.sighting_events_sql, PackageResources.sightings_public_table_sql,
        ],
        fold: [
            PackageResources.sightings_public_generalise_sql, PackageResources.sightings_public_taxa_sql,
            PackageResources.sightings_public_knowledge_sql, PackageResources.sightings_public_pieces_sql,
            PackageResources.sightings_public_rows_sql, PackageResources.sightings_public_fold_sql,
        ],
        folding: [.account, .sighting, .taxon],
        unchangedBy: [
            RoleGranted.type, RoleRevoked.type, TaxonNamed.type, TaxonSynonymAdded.type, TaxonDescribed.type,
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
