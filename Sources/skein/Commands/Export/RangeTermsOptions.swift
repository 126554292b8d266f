import ArgumentParser

/// The terms of a table of ranges, with the names of the API.
struct RangeTermsOptions: ParsableArguments {
    @Option(help: "The ids of up to 1,000 taxa, separated by commas, in place of --taxon and --kind.")
    var taxa: String?

    @Option(help: "year, 5-year or week-of-year (default: year).")
    var period: String?

    @Option(help: "south or north (default: both).")
    var end: String?

    @Option(help: "The side of the cells in kilometres, 5 to 100 (default: 10).")
    var cellKm: String?

    @Option(help: "Whether records that targets prompted count: true or false (default: false).")
    var prompted: String?

    @Option(help: "The ids of up to 1,000 records, separated by commas, that the table is computed without.")
    var without: String?

    /// The texts that were given, by the names of the API.
    var texts: [String: String] {
        let options = [
            "taxa": taxa, "period": period, "end": end, "cellKm": cellKm, "prompted": prompted, "without": without,
        ]
        return options.compactMapValues { $0 }
    }
}
