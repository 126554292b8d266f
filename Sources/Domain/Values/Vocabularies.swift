import Bytes
package import JSON

/// A closed set of words that requests, files and payloads may use, each written as its raw value.
package protocol Vocabulary: RawRepresentable<String>, CaseIterable, Hashable, Sendable, PayloadValue {}

extension Vocabulary {
    /// Reads a word.
    /// - Throws: ``RuleViolation`` with all words when it is none of them.
    package init(word: String) throws(RuleViolation) {
        guard let value = Self(rawValue: word) else {
            throw .vocabulary(Self.allCases.map(\.rawValue))
        }
        self = value
    }

    /// The word in a file, regardless of case, spaces, hyphens and underscores; nil if it is not in the vocabulary.
    package init?(written text: String) {
        let form = text.vocabularyForm
        guard let value = Self.allCases.first(where: { $0.rawValue.vocabularyForm == form }) else { return nil }
        self = value
    }

    /// Reads the word from a payload.
    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(word: try payload.text())
    }

    package func write(to writer: inout PayloadWriter) {
        writer.code(rawValue)
    }
}

/// The name under which an observer's public records appear.
package enum Attribution: String, Vocabulary {
    case displayName
    case anonymous
}

/// How much of a place its observer lets others see; a greater value is a narrower one.
package enum Geoprivacy: String, Vocabulary, Comparable {
    /// The exact place.
    case open
    /// A cell of 0.1°.
    case obscured
    /// No place.
    case `private`

    private var narrowness: Int {
        switch self {
        case .open: 0
        case .obscured: 1
        case .private: 2
        }
    }

    /// A lesser one shows more.
    package static func < (one: Self, other: Self) -> Bool {
        one.narrowness < other.narrowness
    }
}

/// The licences under which a sighting or a dataset may be given.
package enum Licence: String, Vocabulary {
    case cc0 = "CC0-1.0"
    case by = "CC-BY-4.0"
    case byNonCommercial = "CC-BY-NC-4.0"

    /// The address of its legal code, as GBIF writes it.
    package var legalCode: String {
        switch self {
        case .cc0: "http://creativecommons.org/publicdomain/zero/1.0/legalcode"
        case .by: "http://creativecommons.org/licenses/by/4.0/legalcode"
        case .byNonCommercial: "http://creativecommons.org/licenses/by-nc/4.0/legalcode"
        }
    }

    /// Reads a licence in the ways files write it: a code, "CC BY 4.0", "CC_BY_4_0", "ccby-4.0", or an address with
    /// or without `/legalcode`. Nothing but these three licences in these versions is understood.
    package init?(recognising text: String) {
        var words = text.lowercased()[...]
        for scheme in ["https://", "http://"] where words.hasPrefix(scheme) { words.removeFirst(scheme.count) }
        if words.hasPrefix("www.") { words.removeFirst(4) }
        let parts = words.split { !($0.isLetter || $0.isNumber) }.filter { $0 != "legalcode" && $0 != "deed" }
        switch parts.joined() {
        case "cc0", "cc010", "creativecommonsorgpublicdomainzero10": self = .cc0
        case "ccby40", "creativecommonsorglicensesby40": self = .by
        case "ccbync40", "creativecommonsorglicensesbync40": self = .byNonCommercial
        default: return nil
        }
    }
}

/// A set of rights of an account.
package enum Role: String, Vocabulary {
    /// Submits sightings; every account has it.
    case birder
    /// Has no rights of its own so far.
    case moderator
    /// May read the routes for researchers.
    case researcher
    /// Grants and revokes roles.
    case admin
}

/// The number of individuals, as guarded records show it.
package enum CountRange: String, Vocabulary {
    case one = "1"
    case few = "2-10"
    case many = "11+"
}

/// How the observer was looking when the sighting was made.
package enum SurveyProtocol: String, Vocabulary {
    /// While doing something else.
    case incidental
    /// Watching from one place.
    case stationary
    /// Watching along a route.
    case travelling
    /// Looking for this taxon.
    case target
}

/// The groups of taxa that the service shows to people.
package enum TaxonKind: String, Vocabulary {
    case bird, mammal, reptile, amphibian, plant, other
}

/// A qualification of an identification's taxon.
/// - Source: Darwin Core `identificationQualifier`.
package enum TaxonQualifier: String, Vocabulary {
    /// An unspecified member of the taxon: "Larus sp."
    case sp
    /// One of several named members: "Aechmophorus occidentalis/clarkii".
    case slash
    /// A cross between named members.
    case hybrid
    /// In doubt: to be compared with the taxon or, if the name is unknown, with a member of it.
    case cf
    /// Near a named member, but not it: the taxon is what is certain.
    case aff
}

/// The ranks of the tree of taxa; a greater one is nearer to the individual.
package enum TaxonRank: String, Vocabulary, Comparable {
    case kingdom, phylum, `class`, order, suborder, family, subfamily, tribe, genus, species, subspecies

    /// The place in the order of ranks, 0 for the highest.
    package var depth: Int {
        switch self {
        case .kingdom: 0
        case .phylum: 1
        case .class: 2
        case .order: 3
        case .suborder: 4
        case .family: 5
        case .subfamily: 6
        case .tribe: 7
        case .genus: 8
        case .species: 9
        case .subspecies: 10
        }
    }

    /// Orders from the highest rank to the lowest.
    package static func < (one: Self, other: Self) -> Bool {
        one.depth < other.depth
    }
}
