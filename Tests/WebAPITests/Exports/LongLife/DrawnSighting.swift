import Domain
import FoundationEssentials
import TestRandom

/// A sighting of the long scenario, drawn from a seed.
struct DrawnSighting: Sendable {
    /// A species that anyone may submit, and its category; nil for none.
    struct Species: Sendable {
        let scientificName: String
        let name: String
        let category: Int?

        static let wren = Species(scientificName: "Troglodytes pacificus", name: "Pacific Wren", category: nil)
        static let sparrow = Species(scientificName: "Melospiza melodia", name: "Song Sparrow", category: nil)
        static let tit = Species(scientificName: "Parus major", name: "Great Tit", category: nil)
        /// The species that are drawn: some without a category, and one of each category.
        static let all = [
            wren, sparrow, tit, Species(scientificName: "Falco rusticolus", name: "Gyrfalcon", category: 1),
            Species(scientificName: "Strix occidentalis", name: "Spotted Owl", category: 2),
            Species(scientificName: "Accipiter gentilis", name: "Northern Goshawk", category: 3),
            Species(scientificName: "Strix nebulosa", name: "Great Gray Owl", category: 4),
        ]
    }

    enum Decision: Sendable {
        case approve, reject, none
    }

    let species: Species
    let geoprivacy: String
    /// The number of the birder.
    let birder: Int
    let decision: Decision
    /// The submission.
    let body: String

    /// Whether it is in exports, exact and under its own id.
    var isPlain: Bool { species.category == nil && geoprivacy == "open" && decision == .approve }

    /// The word in the notes, and the name, of a birder.
    static func word(of birder: Int) -> String { "quill\(birder)" }

    /// As JSON has them.
    private static let notes = [
        #"a \"quoted\" tail"#, "one, two; three", #"a tab\tand a line\nend"#, "été, groß, 鸟", "plain", "",
    ]

    init(_ random: inout RandomSource, birder: Int) {
        self.birder = birder
        species = random.element(of: Species.all)
        geoprivacy = random.element(of: ["open", "open", "open", "obscured", "private"])
        decision = random.element(of: [.approve, .approve, .approve, .approve, .approve, .reject, .none])
        var members = [
            #""name":"\#(species.name)""#, #""geoprivacy":"\#(geoprivacy)""#,
            #""confidence":\#(random.int(in: 1...10))"#, #""observedAt":"\#(Self.time(&random))""#,
            #""latitude":\#(Self.degrees(&random, 31...59))"#, #""longitude":\#(Self.degrees(&random, -123 ... -71))"#,
            #""notes":"\#(Self.word(of: birder)) \#(random.element(of: Self.notes))""#,
        ]
        let count = random.isTrue(oneIn: 2) ? "\(random.int(in: 1...400))" : "null"
        members.append(#""count":\#(count)"#)
        if random.isTrue(oneIn: 3) { members.append(#""uncertaintyMetres":\#(random.int(in: 1...5_000))"#) }
        if random.isTrue(oneIn: 2) {
            members.append(#""licence":"\#(random.element(of: ["CC0-1.0", "CC-BY-4.0", "CC-BY-NC-4.0"]))""#)
        }
        body = "{\(members.joined(separator: ","))}"
    }

    private static func time(_ random: inout RandomSource) -> String {
        func digits(_ range: ClosedRange<Int>) -> String {
            let number = random.int(in: range)
            return number < 10 ? "0\(number)" : "\(number)"
        }
        let month = "\(random.int(in: 2019...2024))-\(digits(1...12))"
        switch random.int(in: 1...4) {
        case 1: return month
        case 2: return "\(month)-\(digits(1...28))"
        default: return "\(month)-\(digits(1...28))T\(digits(0...23)):\(digits(0...59)):00-07:00"
        }
    }

    private static func degrees(_ random: inout RandomSource, _ range: ClosedRange<Int>) -> String {
        "\(random.int(in: range)).\(random.int(in: 10_000...99_999))"
    }
}
