internal import Domain
package import EventLog

extension ReadModel {
    /// Every state a sighting was ever in, with its true place and date. Not for public routes.
    package static let sightingsExact = ReadModel(
        embedded: "sightings_exact", version: 3,
        table: [
            PackageResources.sightings_exact_events_sql, PackageResources.event_types_sql,
            PackageResources.sighting_events_sql, PackageResources.sightings_exact_table_sql,
        ],
        fold: [PackageResources.sightings_exact_fold_sql], folding: [.sighting],
        digest: ["sightings": ExactSighting.columns])
}
