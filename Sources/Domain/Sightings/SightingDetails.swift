/// The details of a sighting besides its identification. Commands, the state, rows and answers hold these values;
/// requests and events hold what changes of them, ``SightingChanges``.
package struct SightingDetails: Hashable, Sendable {
    /// nil: present, not counted.
    package var count: IndividualCount?
    /// nil for imports.
    package var confidence: Confidence?
    package var observed: ObservedInterval
    package var coordinate: Coordinate
    package var uncertainty: UncertaintyMetres?
    /// The state, region and country of ``coordinate``.
    package var place: Place
    /// Whether it is kept or planted by people.
    package var captive = false
    /// nil where an import has none.
    package var licence: Licence?
    /// nil for imports, which are open.
    package var geoprivacy: Geoprivacy?
    package var visit: Visit?
    /// nil for imports.
    package var surveyProtocol: SurveyProtocol?

    /// Sets only what every sighting has.
    package init(observed: ObservedInterval, coordinate: Coordinate, place: Place) {
        self.observed = observed
        self.coordinate = coordinate
        self.place = place
    }

    /// The details after changes.
    /// - Parameter old: the details before; nil for a first event.
    /// - Returns: nil when neither has the time and the place.
    package init?(_ changes: SightingChanges, over old: SightingDetails? = nil) {
        guard let observed = changes.observed ?? old?.observed,
            let coordinate = changes.coordinate ?? old?.coordinate, let place = changes.place ?? old?.place
        else { return nil }
        self.init(observed: observed, coordinate: coordinate, place: place)
        count = changes.count.applied(to: old?.count)
        confidence = changes.confidence ?? old?.confidence
        uncertainty = changes.uncertainty.applied(to: old?.uncertainty)
        captive = changes.captive ?? old?.captive ?? false
        licence = changes.licence.applied(to: old?.licence)
        geoprivacy = changes.geoprivacy ?? old?.geoprivacy
        visit = changes.visit.applied(to: old?.visit)
        surveyProtocol = changes.surveyProtocol ?? old?.surveyProtocol
    }
}

/// Changes of ``SightingDetails``; for a submission or an imported row, all their values. Values that cannot be cleared
/// are nil where they do not change.
package struct SightingChanges: Hashable, Sendable {
    package var count: Change<IndividualCount>
    package var confidence: Confidence?
    /// Must be set if the new place is in another zone than the old one.
    package var observed: ObservedInterval?
    package var coordinate: Coordinate?
    package var uncertainty: Change<UncertaintyMetres> = .unset
    package var place: Place?
    package var captive: Bool?
    package var licence: Change<Licence> = .unset
    package var geoprivacy: Geoprivacy?
    package var visit: Change<Visit> = .unset
    package var surveyProtocol: SurveyProtocol?
}

extension SightingChanges {
    package init() {
        self.init(count: .unset)
    }

    /// - Parameter isWhole: repeats what stays as it was.
    package init(from old: SightingDetails?, to new: SightingDetails, isWhole: Bool = false) {
        func changed<Value: Equatable>(_ detail: (SightingDetails) -> Value?) -> Value? {
            Change(from: old.flatMap(detail), to: detail(new), isWhole: isWhole).value
        }
        count = Change(from: old?.count, to: new.count, isWhole: isWhole)
        confidence = changed { $0.confidence }
        observed = changed { $0.observed }
        coordinate = changed { $0.coordinate }
        uncertainty = Change(from: old?.uncertainty, to: new.uncertainty, isWhole: isWhole)
        place = changed { $0.place }
        captive = changed { $0.captive }
        licence = Change(from: old?.licence, to: new.licence, isWhole: isWhole)
        geoprivacy = changed { $0.geoprivacy }
        visit = Change(from: old?.visit, to: new.visit, isWhole: isWhole)
        surveyProtocol = changed { $0.surveyProtocol }
    }
}

// The members in payloads. Their names and their order never change; new ones are optional.
extension SightingChanges {
    /// - Parameter isFirst: whether the payload begins a record, and so must have the members that every record has.
    fileprivate static func shape(isFirst: Bool) -> Shape<Self> {
        Shape(
            Self.init,
            .change("count", \.count),
            .optional("confidence", \.confidence),
            .optional("observed", \.observed, required: isFirst),
            .flat(\.coordinate, as: Coordinate.sideBySide(required: isFirst)),
            .change("uncertaintyMetres", \.uncertainty),
            .optional("place", \.place, required: isFirst),
            .optional("captive", \.captive, required: isFirst),
            .change("licence", \.licence),
            .optional("geoprivacy", \.geoprivacy),
            .change("visit", \.visit),
            .optional("protocol", \.surveyProtocol))
    }
}

extension Shape<SightingChanges> {
    /// The members of a payload that begins a record.
    static var first: Self { SightingChanges.shape(isFirst: true) }
    /// The members of any other payload.
    static var later: Self { SightingChanges.shape(isFirst: false) }
}
