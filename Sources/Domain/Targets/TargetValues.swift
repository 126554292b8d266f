package import JSON

/// How easily a target is found, among the species that can be targets in its region and season.
package enum Difficulty: String, Vocabulary {
    case easy, moderate, hard
}

/// Where a target comes from.
package enum TargetBasis: String, Vocabulary {
    /// The records of its region.
    case records
    /// The records of a neighbouring region.
    case neighbour
    /// The list of what can be seen in a region and month.
    case seasonalList = "seasonal-list"
    /// An admin's plan or replacement.
    case plan
}

/// A rule that had to be relaxed to find three targets, in the order in which they are.
package enum Relaxation: String, Vocabulary {
    /// Targets may be of the same family.
    case families
    /// A species may return after four weeks instead of eight.
    case weeks
    /// Not one of each difficulty.
    case difficulty
    /// Species may come from the records of neighbouring regions.
    case neighbours = "neighbour-regions"
    /// Species may come from the seasonal list.
    case seasonalList = "seasonal-list"
}

/// Why an admin replaced a target.
package enum ReplacementReason: String, Vocabulary {
    case absent, sensitive, disturbance, unsafe, other
}

/// A target, with the figures it was chosen for.
package struct ChosenTarget: PayloadObject, Hashable {
    package var id: TargetID
    package var taxon: TaxonID
    package var basis: TargetBasis
    /// nil where records do not show it.
    package var difficulty: Difficulty?
    /// nil unless it comes from records.
    package var score: TargetScore?

    static let shape = Shape<Self>(
        Self.init,
        .required("id", \.id),
        .required("taxon", \.taxon),
        .required("basis", \.basis),
        .optional("difficulty", \.difficulty),
        .optional("score", \.score))

    package init(id: TargetID, taxon: TaxonID, basis: TargetBasis, difficulty: Difficulty?, score: TargetScore?) {
        self.id = id
        self.taxon = taxon
        self.basis = basis
        self.difficulty = difficulty
        self.score = score
    }
}

/// The figures of a species in a region and season. Must not be public: few observers may have contributed.
package struct TargetScore: Hashable, Sendable {
    /// The records of the last ten seasons, and how many observers and seasons they come from.
    package var records: Int
    package var observers: Int
    package var seasons: Int
    /// The share of the region's active observers who recorded it in the last five seasons, 0 to 1, to 4 decimals.
    package var findability: Double
    /// The records of the last two seasons over the mean of the five before, divided by the same ratio of its class, to
    /// 4 decimals; nil where there was nothing before.
    package var recency: Double?

    package init(records: Int, observers: Int, seasons: Int, findability: Double, recency: Double?) {
        self.records = records
        self.observers = observers
        self.seasons = seasons
        self.findability = findability
        self.recency = recency
    }
}

extension TargetScore: PayloadValue {
    package init(payload: JSONValue) throws(RuleViolation) {
        guard let records = payload["records"]?.integer, let observers = payload["observers"]?.integer,
            let seasons = payload["seasons"]?.integer, let findability = payload["findability"]?.number
        else { throw RuleViolation(.type, "must have numbers as records, observers, seasons and findability") }
        self.init(
            records: records, observers: observers, seasons: seasons, findability: findability,
            recency: payload["recency"]?.number)
    }

    package func write(to writer: inout PayloadWriter) {
        writer.object { writer in
            writer.field("records", integer: records)
            writer.field("observers", integer: observers)
            writer.field("seasons", integer: seasons)
            writer.field("findability", number: findability)
            if let recency { writer.field("recency", number: recency) }
        }
    }
}
