package import Domain
import Postgres

/// A visit as anyone may see it, without any time of day.
package struct PublicVisit: Hashable, Sendable {
    package let id: PublicVisitID
    /// Nil for one that was submitted.
    package let dataset: DatasetID?
    /// The first and the last local day of its records.
    package let from: CivilDate
    package let to: CivilDate
    /// The one with most of its records; nil for a visit without a place.
    package let cell: MarginCell?
    package let surveyProtocol: SurveyProtocol?
    package let minutes: Int?
    package let distanceKm: Double?
    /// How many people were watching.
    package let observers: Int?
    /// Whether its records are all taxa that were identified.
    package let isComplete: Bool
    /// Taxa of species rank or below.
    package let listLength: Int

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.id("visit")
        dataset = try row.id(optional: "dataset")
        from = try row.required(row.date("first"), "first")
        to = try row.required(row.date("last"), "last")
        if let number = try row.decode("margin_row", as: Int?.self) {
            cell = MarginCell(row: number, column: try row.decode("margin_column"))
        } else {
            cell = nil
        }
        surveyProtocol = try row.word("protocol")
        minutes = try row.decode("minutes")
        distanceKm = try row.decode("distance")
        observers = try row.decode("observers")
        isComplete = try row.decode("complete")
        listLength = try row.decode("list_length")
    }
}

/// A taxon whose absence must not be derived.
package struct GuardedTaxon: Hashable, Sendable {
    package let id: TaxonID
    package let scientificName: String
    /// The most sensitive one that it ever had.
    package let category: SensitivityCategory
}
