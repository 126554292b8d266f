import Domain

extension ExportSubject {
    /// The query in words, such as "Records of Cactus Wren (Campylorhynchus brunneicapillus) in Arizona, 2010-01-01 to
    /// 2019-12-31, as of 2026-05-01". It follows from the query and the names alone.
    package var title: String {
        let subject =
            format == .survey ? "Visits" + places : (ranges == nil ? "Records of " : "Ranges of ") + taxa + places
        let parts = [subject] + [period].compactMap { $0 } + conditions + (ranges?.conditions ?? []) + [date]
        return parts.joined(separator: ", ")
    }

    private var taxa: String {
        switch (names.scientificName, names.vernacularName) {
        case (let scientific?, let vernacular?): "\(vernacular) (\(scientific))"
        case (let scientific?, nil): scientific
        case (nil, let vernacular?): vernacular
        case (nil, nil) where ranges?.taxa.isEmpty == false:
            ranges.map { $0.taxa.count == 1 ? "taxon \($0.taxa[0])" : "\($0.taxa.count) taxa" } ?? ""
        case (nil, nil): filter.taxon.map { "taxon \($0)" } ?? filter.kind.map(Self.plural) ?? "all taxa"
        }
    }

    /// The state, region and country of the filter, those that it has. Countries have no names here, only codes.
    package var placeNames: [String] {
        [
            filter.state.map { names.state ?? $0.text }, filter.region.map { names.region ?? $0.text },
            filter.country?.text,
        ].compactMap { $0 }
    }

    private var places: String {
        placeNames.isEmpty ? "" : " in " + placeNames.joined(separator: ", ")
    }

    private var period: String? {
        switch (filter.from, filter.to) {
        case (let from?, let to?): from == to ? "\(from)" : "\(from) to \(to)"
        case (let from?, nil): "since \(from)"
        case (nil, let to?): "until \(to)"
        case (nil, nil): nil
        }
    }

    private var conditions: [String] {
        RecordFilter.Member.allCases.compactMap(condition)
    }

    /// A condition in words; nil where there is none, or where another part of the title has it.
    private func condition(_ member: RecordFilter.Member) -> String? {
        switch member {
        case .taxon, .region, .state, .country, .from, .to: nil
        case .kind: filter.taxon == nil ? nil : filter.kind.map { "\(Self.plural($0)) only" }
        case .box: filter.box.map(Self.sides)
        case .statuses: statuses
        case .minConfidence: filter.minConfidence.map { "confidence \($0.value) or more" }
        case .maxUncertainty:
            filter.maxUncertainty.map { "coordinate uncertainty at most \(Self.text($0.value)) m or unknown" }
        case .hasPhoto: filter.hasPhoto.map { $0 ? "with a photo" : "without a photo" }
        case .captive: filter.captive.map { $0 ? "captive or cultivated" : "wild" }
        case .dataset:
            filter.dataset.map { dataset in
                dataset.id.map { "of the dataset \(names.dataset ?? $0.description)" } ?? "submitted here"
            }
        }
    }

    private static func sides(_ box: BoundingBox) -> String {
        let sides = [box.west, box.east, box.south, box.north].map(text)
        return "longitude \(sides[0]) to \(sides[1]), latitude \(sides[2]) to \(sides[3])"
    }

    /// Exports hold approved records and those accepted by their source, unless the filter chooses.
    private var statuses: String? {
        guard filter.statuses.count == 1, let status = filter.statuses.first else { return nil }
        switch status {
        case .approved: return "approved by a moderator"
        case .acceptedBySource: return "accepted by their source"
        case .pending, .rejected, .withdrawn: return status.rawValue
        }
    }

    private var date: String {
        switch day {
        case .end(let date): "as of \(date)"
        case .moment(let date): "as of a moment on \(date)"
        }
    }

    private static func plural(_ kind: TaxonKind) -> String {
        switch kind {
        case .bird: "birds"
        case .mammal: "mammals"
        case .reptile: "reptiles"
        case .amphibian: "amphibians"
        case .plant: "plants"
        case .other: "other organisms"
        }
    }

    /// A number without a needless fraction.
    static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? number.description
    }
}

extension RangeTerms {
    /// How a table of ranges is divided and computed, in words.
    fileprivate var conditions: [String] {
        let division =
            switch period {
            case .year: "by year"
            case .fiveYears: "by five years"
            case .weekOfYear: "by week of the year"
            }
        return [
            division, end.map { "\($0.rawValue)ern end" }, "cells of \(side.value) km",
            withPrompted ? "with records prompted by targets" : nil,
            without.isEmpty ? nil : "without \(without.count) record\(without.count == 1 ? "" : "s")",
        ].compactMap { $0 }
    }
}
