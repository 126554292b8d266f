import ArgumentParser

/// The measures, by the names that `--only` takes.
enum Measure: String, CaseIterable, Sendable {
    case post
    case cost
    case before
    case p99
    case append
    case batch
    case folds
    case rebuild
    case imports = "import"
    case reads
    case health
    case memory
    case growth
    case beside
    case recovery
    case standbys
    case photos
    case photoGrowth = "photo-growth"
    case rotation
    case targets
    case logins
    case listeners
    case exports = "export"
    case lists = "list"
    case ranges
}

/// The value of `--only`: names with commas between them.
struct MeasureList: ExpressibleByArgument {
    let measures: [Measure]

    init?(argument: String) {
        let names = argument.split(separator: ",").map(String.init)
        let measures = names.compactMap(Measure.init(rawValue:))
        guard !measures.isEmpty, measures.count == names.count else { return nil }
        self.measures = measures
    }
}
