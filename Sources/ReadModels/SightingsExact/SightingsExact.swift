package import EventLog

extension ReadModel {
    /// Every state a sighting was ever in, with its true place and date. Not for public routes.
    package static let sightingsExact = ReadModel(
        embedded: "sightings_exact", version: 2, table: PackageResources.sightings_exact_table_sql,
        fold: [PackageResources.sightings_exact_fold_sql],
        digest: [
            "sightings": [
                "id", "version", "valid", "recorded_at", "submitted_at", "status", "reason", "observer", "dataset",
                "batch", "occurrence", "taxon", "qualifier", "sensitivity", "count", "confidence", "observed",
                "observed_precision", "observed_zone", "observed_from", "observed_to", "local_from", "local_to",
                "latitude", "longitude", "uncertainty", "state", "region", "country", "place_basis",
                "place_distance", "polygons", "captive", "licence", "geoprivacy", "visit", "protocol", "prompted_by",
            ]
        ])
}
