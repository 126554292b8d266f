import Domain

/// The lists by which targets are chosen: `seasonal.tsv`, `nest_disturbance.tsv` and `neighbours.tsv` in one folder.
package struct TargetLists: Sendable {
    /// A species that can be seen in some regions and months.
    private struct Seasonal: Sendable {
        let name: String
        let regions: Set<RegionCode>
        let months: Set<Int>
    }

    /// A species whose nests must not be looked for in some months.
    private struct Disturbed: Sendable {
        let name: String
        let months: Set<Int>
    }

    private let seasonal: [Seasonal]
    private let disturbed: [Disturbed]
    /// The scientific names of all species of the seasonal list, in its order.
    let ranked: [String]
    /// The neighbours of each region, the nearest first.
    let neighbours: [RegionCode: [RegionCode]]

    /// Reads a folder.
    /// - Throws: what reading the files throws; ``TableFault/malformed(file:line:reason:)``.
    package init(folder: String) throws {
        seasonal = try TableFile(folder + "/seasonal.tsv", columns: ["scientificName", "regions", "months"]).map {
            row in
            Seasonal(name: row["scientificName"], regions: Set(try row.regions("regions")), months: try row.months())
        }
        var seen: Set<String> = []
        ranked = seasonal.map(\.name).filter { seen.insert($0).inserted }
        disturbed = try TableFile(folder + "/nest_disturbance.tsv", columns: ["scientificName", "months"]).map { row in
            Disturbed(name: row["scientificName"], months: try row.months())
        }
        let pairs = try TableFile(folder + "/neighbours.tsv", columns: ["region", "neighbours"]).map { row in
            (try RegionCode(row["region"]), try row.regions("neighbours"))
        }
        neighbours = Dictionary(pairs) { first, _ in first }
    }

    /// The scientific names of species that can be seen in a region in the month of a week's Thursday.
    func seasonal(in region: RegionCode, _ week: ISOWeek) -> Set<String> {
        let month = week.thursday.month
        return Set(seasonal.filter { $0.regions.contains(region) && $0.months.contains(month) }.map(\.name))
    }

    /// The scientific names of species that must be left in peace in a month of a week.
    func disturbed(in week: ISOWeek) -> Set<String> {
        Set(disturbed.filter { !$0.months.isDisjoint(with: week.months) }.map(\.name))
    }
}

extension TableFile.Row {
    fileprivate func regions(_ column: String) throws -> [RegionCode] {
        try self[column].split(separator: "|").map { code in
            do throws(RuleViolation) {
                return try RegionCode(String(code))
            } catch {
                throw malformed("\(column) \(error.message)")
            }
        }
    }

    /// Months as "4-9", "10-3" or "5", several separated by "|".
    fileprivate func months() throws -> Set<Int> {
        var months: Set<Int> = []
        for range in self["months"].split(separator: "|") {
            let ends = range.split(separator: "-").map { Int($0) }
            guard let first = ends.first.flatMap(\.self), let last = ends.last.flatMap(\.self), ends.count <= 2,
                (1...12).contains(first), (1...12).contains(last)
            else { throw malformed("months must be ranges such as 4-9 or 10-3") }
            months.formUnion(first <= last ? Set(first...last) : Set(first...12).union(1...last))
        }
        guard !months.isEmpty else { throw malformed("months is empty") }
        return months
    }
}
