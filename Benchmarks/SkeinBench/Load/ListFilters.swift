import Foundation

/// The filters under which lists are read: each member alone, and the six commonest pairs.
///
/// These pairs are assumed to be the commonest, until there are logs of requests. Four come from research on the range
/// of a taxon: in a region, in a period, inside the box of a map, and with a status. Two come from overviews of a
/// place: the records of a region in a period, and its birds or mammals.
///
/// A filter has several values, requested in turn. Nearly all have a full page at 10,000 records: a page that is not
/// full is less work, whatever the index.
struct ListFilters: Sendable {
    /// A filter and its values.
    struct Filter: Sendable {
        let name: String
        /// Queries without `limit`, one for each value.
        let queries: [String]
    }

    /// The names of filters whose second pages are read, too.
    static let continued: Set = ["no filter", "species", "region", "large box"]

    /// The filters for a log. Ids of taxa and datasets differ between logs.
    /// - Parameter today: the day on which it was filled.
    static func all(_ filled: FilledLists, today: Date = .now) async throws -> [Filter] {
        let species = [0, 1, 2, 4, 8].map { filled.taxa[$0] }
        let families = try await filled.families(of: Array(filled.taxa.prefix(12))).prefix(5)
        let days = Days(today)
        let taxa = species.map { "taxon=\(written($0))" }
        let regions = ["northeast", "california", "southeast"].map { "region=\($0)" }
        let small = ["-75.5,41.5,-74.5,42.5", "-120.5,36.5,-119.5,37.5", "-81.5,27.5,-80.5,28.5"].map { "bbox=\($0)" }
        let large = ["-125,25,-65,50", "-100,15,-60,50", "-180,-90,180,90"].map { "bbox=\($0)" }
        let datasets = filled.datasets.map { "dataset=\(written($0))" }
        let single: [Filter] = [
            Filter(name: "no filter", queries: [""]),
            Filter(name: "species", queries: taxa),
            Filter(name: "family", queries: families.map { "taxon=\(written($0))" }),
            Filter(name: "kind", queries: ["bird", "mammal", "reptile", "amphibian"].map { "kind=\($0)" }),
            Filter(name: "region", queries: regions),
            Filter(name: "state", queries: ["US-NY", "US-CA", "US-FL", "CA-ON"].map { "state=\($0)" }),
            Filter(name: "country", queries: ["US", "CA", "MX"].map { "country=\($0)" }),
            Filter(name: "small box", queries: small),
            Filter(name: "large box", queries: large),
            Filter(name: "from", queries: days.since),
            Filter(name: "to", queries: days.until),
            Filter(name: "from and to", queries: days.years),
            Filter(name: "approved", queries: ["status=approved"]),
            Filter(name: "accepted by source", queries: ["status=accepted-by-source"]),
            Filter(name: "pending", queries: ["status=pending"]),
            Filter(name: "confidence", queries: [3, 7, 10].map { "minConfidence=\($0)" }),
            Filter(name: "uncertainty", queries: [10, 500, 5_000].map { "maxUncertaintyMetres=\($0)" }),
            Filter(name: "with photos", queries: ["hasPhoto=true"]),
            Filter(name: "without photos", queries: ["hasPhoto=false"]),
            Filter(name: "captive", queries: ["captive=true"]),
            Filter(name: "wild", queries: ["captive=false"]),
            Filter(name: "dataset", queries: datasets),
            Filter(name: "no dataset", queries: ["dataset=none"]),
        ]
        // Pairs of rarer ones have few records of 10,000.
        let frequent = Array(taxa.prefix(2))
        return single + [
            pair("species and region", frequent, regions), pair("species and period", frequent, days.years),
            pair("region and period", regions, days.years),
            pair("kind and region", ["bird", "mammal"].map { "kind=\($0)" }, regions),
            pair("species and status", frequent, ["approved", "accepted-by-source", "pending"].map { "status=\($0)" }),
            pair("species and box", frequent, large + small.prefix(1)),
        ]
    }

    private static func pair(_ name: String, _ first: [String], _ second: [String]) -> Filter {
        Filter(name: name, queries: first.flatMap { one in second.map { "\(one)&\($0)" } })
    }

    private static func written(_ id: UUID) -> String { id.uuidString.lowercased() }
}

extension ListFilters {
    /// Periods within the ten years of the records.
    private struct Days {
        private let today: Date

        init(_ today: Date) {
            self.today = today
        }

        var since: [String] { [900, 400, 100].map { "from=\(day(before: $0))" } }
        var until: [String] { [100, 1_000, 2_500].map { "to=\(day(before: $0))" } }
        /// A year each.
        var years: [String] {
            [400, 1_000, 2_500].map { "from=\(day(before: $0 + 364))&to=\(day(before: $0))" }
        }

        private func day(before days: Int) -> String {
            today.addingTimeInterval(-86_400 * Double(days)).formatted(.iso8601.year().month().day())
        }
    }
}
