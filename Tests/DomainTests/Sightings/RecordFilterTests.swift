import Domain
import TestRandom
import Testing

struct RecordFilterTests {
    @Test func `the text of a filter stays as it is`() throws {
        let taxon = try TaxonID(text: "0196f1a4-0000-7000-8000-00000000002a")
        let filter = RecordFilter(
            taxon: taxon, kind: .bird, region: try RegionCode("hawaii"), state: try StateCode("US-HI"),
            country: try CountryCode("US"), box: try BoundingBox("170,-10,-170,10.5"),
            from: try CivilDate("2026-05-01"), to: try CivilDate("2026-05-31"),
            statuses: [.pending, .acceptedBySource, .approved], maxUncertainty: try UncertaintyMetres(1000),
            captive: false, dataset: .one(DatasetID(taxon.uuid)))
        #expect(
            filter.canonical == """
                {"taxon":"0196f1a4-0000-7000-8000-00000000002a","kind":"bird","region":"hawaii","state":"US-HI",\
                "country":"US","west":170,"south":-10,"east":-170,"north":10.5,"from":"2026-05-01","to":"2026-05-31",\
                "status":["accepted-by-source","approved","pending"],"maxUncertaintyMetres":1000,"captive":false,\
                "dataset":"0196f1a4-0000-7000-8000-00000000002a"}
                """)
        #expect(RecordFilter().canonical == "{}")
        let later = RecordFilter(
            statuses: [.pending], minConfidence: try Confidence(8), hasPhoto: false, dataset: DatasetChoice.none)
        #expect(
            later.canonical == #"{"status":["pending"],"dataset":"none","minConfidence":8,"hasPhoto":false}"#)
    }

    @Test func `a dataset is chosen by its id or by none`() throws {
        let id = "0196f1a4-0000-7000-8000-00000000002a"
        for text in [id, "none"] { #expect(try DatasetChoice(text: text).description == text) }
        #expect(try DatasetChoice(text: id.uppercased()) == DatasetChoice(text: id))
        for text in ["", "None", "nil", id + "0"] {
            #expect(throws: RuleViolation.self) { try DatasetChoice(text: text) }
        }
    }

    @Test(arguments: RandomSource.seeds(4))
    func `equal filters, and only they, have the same text`(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        var (filters, texts): ([RecordFilter], [String]) = ([], [])
        for _ in 0..<400 {
            let (filter, shuffled) = try Self.filter(&random)
            #expect(filter.canonical == shuffled.canonical && filter == shuffled)
            filters.append(filter)
            texts.append(filter.canonical)
        }
        #expect(Set(filters).count == Set(texts).count)
        #expect(Set(filters).count > 100 || !RandomSource.isFixed(seed))
        for (filter, text) in zip(filters, texts) {
            #expect(zip(filters, texts).allSatisfy { ($0.0 == filter) == ($0.1 == text) })
        }
    }

    /// A filter made of a few possible values, and an equal one whose members were set in another order.
    private static func filter(_ random: inout RandomSource) throws -> (RecordFilter, RecordFilter) {
        let (degrees, statuses) = ([-1, -0.0, 0, 1.5], SightingStatus.allCases)
        let west = random.element(of: degrees)
        let box = try BoundingBox(west: west, south: random.element(of: degrees), east: 2, north: 2)
        // Minus zero is zero.
        let same = try BoundingBox(west: west == 0 ? -west : west, south: box.south, east: 2, north: 2)
        let chosen = (0..<random.int(in: 1...3)).map { _ in random.element(of: statuses) }
        let (day, id) = (try CivilDate("2026-05-0\(random.int(in: 1...2))"), random.uuid())
        let metres = try UncertaintyMetres(random.element(of: [0.5, 1000]))
        let (isCaptive, isSubmitted) = (random.isTrue(oneIn: 2), random.isTrue(oneIn: 2))
        let confidence = try Confidence(random.int(in: 1...10))
        let setters: [(inout RecordFilter, Bool) -> Void] = [
            { filter, _ in filter.taxon = TaxonID(id) }, { filter, _ in filter.kind = .plant },
            { filter, _ in filter.region = RegionCode(unchecked: "hawaii") },
            { filter, _ in filter.state = StateCode(unchecked: "US-HI") },
            { filter, _ in filter.country = CountryCode(unchecked: "US") },
            { filter, isAgain in filter.box = isAgain ? same : box },
            { filter, _ in filter.from = day }, { filter, _ in filter.to = day },
            { filter, isAgain in filter.statuses = Set(isAgain ? chosen.reversed() : chosen) },
            { filter, _ in filter.maxUncertainty = metres }, { filter, _ in filter.captive = isCaptive },
            { filter, _ in filter.dataset = isSubmitted ? DatasetChoice.none : .one(DatasetID(id)) },
            { filter, _ in filter.minConfidence = confidence }, { filter, _ in filter.hasPhoto = !isCaptive },
        ]
        #expect(setters.count == RecordFilter.Member.allCases.count)
        var (once, again) = (RecordFilter(), RecordFilter())
        let order = setters.indices.filter { _ in random.isTrue(oneIn: 4) }
        for index in order { setters[index](&once, false) }
        for index in order.shuffled(using: &random) { setters[index](&again, true) }
        return (once, again)
    }
}
