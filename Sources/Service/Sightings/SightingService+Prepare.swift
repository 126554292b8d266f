package import Domain

// What a request asks for, with everything looked up that its event keeps.
extension SightingService {
    func prepare(
        _ draft: SightingDraft, _ account: AccountID, _ defaults: AccountDefaults
    ) throws -> SubmitSighting {
        var faults = Faults()
        let receivedAt = now()
        let location = locate(draft.coordinate)
        let identification = identify(draft.taxon, draft.name, isStrict: draft.isStrict, &faults)
        let observed = try ObservedInterval(draft.observedAt, in: zone(of: location.place), rules: zones)
        faults.check("/observedAt") { try observed.checkPlausible(receivedAt: receivedAt) }
        try faults.throwIfAny()
        var command = SubmitSighting(
            observer: account, identification: identification, confidence: draft.confidence, observed: observed,
            location: location, licence: draft.licence ?? defaults.licence,
            geoprivacy: draft.geoprivacy ?? defaults.geoprivacy, receivedAt: receivedAt)
        command.verbatimName = draft.name
        command.count = draft.count
        command.uncertainty = draft.uncertainty
        command.captive = draft.captive
        command.visit = draft.visit
        command.surveyProtocol = draft.surveyProtocol ?? .incidental
        command.notes = draft.notes
        return command
    }

    func prepare(
        _ patch: SightingPatch, _ state: SightingState, _ account: AccountID, _ kept: SightingContent
    ) throws -> CorrectSighting {
        var faults = Faults()
        var command = CorrectSighting(observer: account, kept: kept, receivedAt: now())
        if let record = state.record {
            command.identification = identify(patch, &faults)
            command.location = locate(patch, record, &faults)
            command.observed = try observe(patch, command.location, record)
        }
        try faults.throwIfAny()
        command.verbatimName = patch.name
        command.count = patch.count
        command.confidence = patch.confidence
        command.uncertainty = patch.uncertainty
        command.captive = patch.captive
        command.licence = patch.licence
        command.geoprivacy = patch.geoprivacy
        command.visit = patch.visit
        command.surveyProtocol = patch.surveyProtocol
        command.notes = patch.notes
        return command
    }

    /// Why a time cannot be that of an observation at a place; nil when it can. Without a place UTC decides.
    package func implausibility(of time: ObservationTime, at coordinate: Coordinate?) -> RuleViolation? {
        // An instant is the same everywhere; finding the place only for its zone would cost more than all the rest.
        var zone = ZoneName.utc
        if time.precision != .instant, let coordinate { zone = self.zone(of: places.locate(coordinate)) }
        guard let observed = try? ObservedInterval(time, in: zone, rules: zones) else { return nil }
        do {
            try observed.checkPlausible(receivedAt: now())
            return nil
        } catch {
            return error
        }
    }

    /// A new name is resolved to a taxon.
    private func identify(_ patch: SightingPatch, _ faults: inout Faults) -> Change<Identification> {
        switch patch.taxon {
        case .set(let taxon): return Change(initial: identify(taxon, nil, isStrict: true, &faults))
        case .cleared: return .cleared
        case .unset: break
        }
        guard let name = patch.name.value else { return .unset }
        return identify(nil, name, isStrict: patch.isStrict, &faults).map(Change.set) ?? .cleared
    }

    private func identify(
        _ taxon: TaxonID?, _ name: VerbatimName?, isStrict: Bool, _ faults: inout Faults
    ) -> Identification? {
        let names = catalogue.names
        if let taxon {
            guard names.summary(of: taxon) != nil else {
                faults.add("/taxonId", RuleViolation(.unknown, "must be the id of a taxon of the catalogue"))
                return nil
            }
            return Identification(taxon: taxon, sensitivity: names.sensitivity(of: taxon))
        }
        guard let name else { return nil }
        let identification = names.identification(of: name.text)
        if isStrict, identification?.taxon == nil {
            faults.add("/name", RuleViolation(.unknown, "must be the name of exactly one taxon of the catalogue"))
        }
        return identification
    }

    private func locate(_ coordinate: Coordinate) -> Location {
        Location(coordinate, places.locate(coordinate))
    }

    private func locate(_ patch: SightingPatch, _ record: SightingRecord, _ faults: inout Faults) -> Location? {
        guard patch.latitude != nil || patch.longitude != nil else { return nil }
        let coordinate = faults.check(patch.latitude == nil ? "/longitude" : "/latitude") {
            try Coordinate(
                latitude: patch.latitude ?? record.coordinate.latitude,
                longitude: patch.longitude ?? record.coordinate.longitude)
        }
        return coordinate.map { locate($0) }
    }

    /// Another place may be in another zone, and then a date means another interval.
    private func observe(
        _ patch: SightingPatch, _ location: Location?, _ record: SightingRecord
    ) throws -> ObservedInterval? {
        guard patch.observedAt != nil || location != nil else { return nil }
        let zone = location.map { self.zone(of: $0.place) } ?? record.observed.zone
        return try ObservedInterval(patch.observedAt ?? record.observed.value, in: zone, rules: zones)
    }

    /// The zone of the place's region, else UTC.
    private func zone(of place: Place) -> ZoneName {
        place.region.flatMap { places.regions[$0]?.zone } ?? ZoneName.utc
    }
}
