import Domain
package import JSON

/// The reasons that moderators and others choose from.
package struct ReasonLists: JSONRepresentable {
    package init() {}

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("sighting", SightingReason.allCases.map { ReasonView($0, $0.text, needsNote: $0 == .other) })
            writer.field(
                "photo",
                PhotoReason.allCases.map { ReasonView($0, $0.text, needsNote: $0 == .other, hides: $0.hiding != nil) })
            writer.field("flag", FlagReason.allCases.map { ReasonView($0, $0.text, needsNote: $0 == .other) })
            writer.field("hiding", HidingReason.allCases.map { ReasonView($0, $0.text, needsNote: false) })
        }
    }
}

private struct ReasonView: JSONRepresentable {
    let code: String
    let text: String
    let needsNote: Bool
    /// Whether a photo that is rejected for it is hidden as well.
    let hides: Bool

    init(_ reason: some Vocabulary, _ text: String, needsNote: Bool, hides: Bool = false) {
        code = reason.rawValue
        self.text = text
        self.needsNote = needsNote
        self.hides = hides
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("code", code)
            writer.field("text", text)
            writer.field("needsNote", needsNote)
            writer.field("hides", hides)
        }
    }
}

extension SightingReason {
    fileprivate var text: String {
        switch self {
        case .notTheSpecies: "It is not this species."
        case .cannotBeTold: "The evidence does not show which species it is."
        case .wrongPlace: "The place is wrong."
        case .wrongDate: "The date is wrong."
        case .outOfRange: "The species is not known from there at that time of the year."
        case .duplicateRecord: "The same observation has been recorded before."
        case .other: "The note says why."
        }
    }
}

extension PhotoReason {
    fileprivate var text: String {
        switch self {
        case .unreadable: "It is too dark, blurred or small to show the organism."
        case .notOwnWork: "Someone else took it."
        case .noWildlife: "It shows no wildlife."
        case .inappropriate: "It is not fit for publication."
        case .duplicate: "The same photo has been added before."
        case .personRecognisable: "A person can be recognised."
        case .notThisSighting: "It does not show this sighting."
        case .other: "The note says why."
        }
    }
}

extension FlagReason {
    fileprivate var text: String {
        switch self {
        case .wrongTaxon: "It is another taxon."
        case .wrongPlace: "The place is wrong."
        case .wrongDate: "The date is wrong."
        case .notWild: "It is in captivity or cultivation."
        case .duplicate: "It has been recorded before."
        case .notOwnWork: "Someone else took the photo."
        case .inappropriate: "It is not fit for publication."
        case .personRecognisable: "A person can be recognised."
        case .other: "The note says what is wrong."
        }
    }
}

extension HidingReason {
    fileprivate var text: String {
        switch self {
        case .notOwnWork: "Someone else took the photo."
        case .inappropriate: "It is not fit for publication."
        case .personRecognisable: "A person can be recognised."
        case .personalData: "It contains personal data."
        case .other: "Another reason."
        }
    }
}
