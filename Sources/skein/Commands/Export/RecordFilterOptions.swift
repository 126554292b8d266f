import ArgumentParser
import Domain

/// The filter of records, with the names of the API: `minConfidence` is `--min-confidence`.
struct RecordFilterOptions: ParsableArguments {
    @Option(help: "The id of a taxon: it and all below it.")
    var taxon: String?

    @Option(help: "bird, mammal, reptile, amphibian, plant or other.")
    var kind: String?

    @Option(help: "A region, such as alaska.")
    var region: String?

    @Option(help: "A state or province, such as US-WA.")
    var state: String?

    @Option(help: "A country, such as US.")
    var country: String?

    @Option(parsing: .unconditional, help: "West, south, east and north in degrees, separated by commas.")
    var bbox: String?

    @Option(help: "The first day of observations.")
    var from: String?

    @Option(help: "The last day of observations.")
    var to: String?

    @Option(help: "approved or accepted-by-source (default: both).")
    var status: [String] = []

    @Option(help: "The least confidence of the observer, 1 to 10.")
    var minConfidence: String?

    @Option(help: "The greatest uncertainty of places, in metres; unknown ones pass.")
    var maxUncertaintyMetres: String?

    @Option(help: "Whether there is a photo: true or false.")
    var hasPhoto: String?

    @Option(help: "Whether captive or cultivated: true or false.")
    var captive: String?

    @Option(
        help: """
            The id or the title of a dataset, or none for records that were submitted. The records of a dataset that \
            is named are written even if it must not be passed on; the manifest says so.
            """)
    var dataset: String?

    /// The texts that were given, by the names of the API.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        for member in RecordFilter.Member.allCases { texts[member.rawValue] = text(of: member) }
        return texts
    }

    private func text(of member: RecordFilter.Member) -> String? {
        switch member {
        case .taxon: taxon
        case .kind: kind
        case .region: region
        case .state: state
        case .country: country
        case .box: bbox
        case .from: from
        case .to: to
        case .statuses: status.isEmpty ? nil : status.joined(separator: ",")
        case .minConfidence: minConfidence
        case .maxUncertainty: maxUncertaintyMetres
        case .hasPhoto: hasPhoto
        case .captive: captive
        case .dataset: dataset
        }
    }
}
