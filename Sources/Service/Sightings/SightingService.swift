package import Domain
import EventLog
package import FoundationEssentials
import ReadModels
import Vault

/// Submits, changes and withdraws sightings for their owners.
package struct SightingService: Sendable {
    let store: StreamStore
    let contents: ContentStore
    let publicIDs: PublicIDs
    let photos: OwnedPhotos
    let accounts: AccountDirectory
    let reservations: Reservations
    let catalogue: Catalogue
    let targets: TargetDirectory
    let places: PlaceIndex
    let zones: any ZoneRules
    let signer: CommandSigner
    let now: @Sendable () -> Instant
    var unverified: UnverifiedQuota?

    /// Records a sighting. Idempotent: a retry with the same key and request returns the first outcome.
    /// - Throws: `Faults`, ``CommandError``, `SightingRejection`, ``UnverifiedQuota/Rejection``; what the database
    ///   throws.
    package func submit(_ request: SightingRequest, by account: AccountID, key: UUID) async throws -> Finding {
        let command = signer.identity(
            account: account.uuid, command: "SubmitSighting", key: key, request: request.canonical,
            actor: account.uuid)
        let id = CommandID.stream(kind: StreamKind.sighting.rawValue, of: command.id)
        let outcome: Outcome<SightingState> = try await UnverifiedQuota.counting(unverified, account) { use in
            try await store.begin(id, command) {
                let defaults = try await accounts.status(of: account)
                let command = SightingCommand.submit(try submission(request, account, defaults))
                let decision = try SightingDecider.decide(command, SightingState())
                try await use.take()
                return decision
            }
        }
        guard !outcome.isRepeat else { return try await answer(to: outcome) }
        return try await finding(
            outcome.stored, notes: request.notes.value?.text, verbatimName: request.name.value?.text, suggesting: true)
    }

    /// Changes one of the owner's sightings.
    /// - Parameter ifVersions: the versions that may be changed (`If-Match`); nil for any.
    /// - Throws: `Faults`, ``CommandError``, `SightingRejection`; what the database throws.
    package func correct(
        _ id: SightingID, _ patch: SightingRequest, ifVersions: Set<Int>?, by account: AccountID, key: UUID
    ) async throws -> Finding {
        let outcome = try await change(
            id, "CorrectSighting", patch.canonical, ifVersions: ifVersions, by: account, key: key
        ) { stored in
            let kept = try await kept(of: id)
            return .correct(try correction(patch, stored.state.record, account, kept))
        }
        return try await answer(to: outcome)
    }

    /// Withdraws one of the owner's sightings.
    /// - Returns: the position of the withdrawal.
    /// - Throws: ``CommandError``, `SightingRejection`; what the database throws.
    package func withdraw(
        _ id: SightingID, reason: WithdrawSighting.Reason, ifVersions: Set<Int>?, by account: AccountID, key: UUID
    ) async throws -> Int64 {
        let request = CanonicalText(reason.rawValue)
        let outcome = try await change(
            id, "WithdrawSighting", request, ifVersions: ifVersions, by: account, key: key
        ) { _ in .withdraw(WithdrawSighting(observer: account, reason: reason)) }
        return outcome.stored.position
    }

    /// Carries out a command on one of the owner's sightings.
    /// - Parameters:
    ///   - name: the command's name, for its identity.
    ///   - request: for the fingerprint: the same for equal requests.
    func change(
        _ id: SightingID, _ name: String, _ request: CanonicalText, ifVersions: Set<Int>? = nil,
        by account: AccountID, key: UUID, decide: (Stored<SightingState>) async throws -> SightingCommand
    ) async throws -> Outcome<SightingState> {
        let command = signer.identity(
            account: account.uuid, command: name, target: id.uuid, ifVersions: ifVersions, key: key, request: request,
            actor: account.uuid)
        return try await store.change(id.uuid, ifVersions: ifVersions, command) {
            try SightingDecider.decide(try await decide($0), $0.state)
        } mayAct: {
            $0.isOwn(account)
        }
    }
}

// MARK: - From requests to commands

extension SightingService {
    private func submission(
        _ request: SightingRequest, _ account: AccountID, _ defaults: AccountStatus
    ) throws -> SubmitSighting {
        var faults = Faults()
        let receivedAt = now()
        var request = request
        if let target = request.target { request.taxon = taxon(of: target, &faults) }
        let identification = identify(request, &faults).value
        var changes = try locate(request, over: nil, &faults)
        changes.licence = .set(changes.licence.value ?? defaults.licence)
        changes.geoprivacy = changes.geoprivacy ?? defaults.geoprivacy
        changes.surveyProtocol = changes.surveyProtocol ?? .incidental
        faults.check("/observedAt") { try changes.observed?.checkPlausible(receivedAt: receivedAt) }
        faults.check("/visit") { try changes.visit.value?.checkPlausible(receivedAt: receivedAt) }
        let details = SightingDetails(changes)
        if details == nil { faults.add(changes.place == nil ? "/latitude" : "/observedAt", .required) }
        try faults.throwIfAny()
        guard let details else { throw faults }
        return SubmitSighting(
            observer: account, identification: identification, details: details,
            content: SightingContent(notes: request.notes.value, verbatimName: request.name.value),
            promptedBy: targets.targets(asking: identification?.taxon, at: details.place, details.observed),
            awaitedPhotos: request.awaitedPhotos, receivedAt: receivedAt)
    }

    private func taxon(of target: TargetID, _ faults: inout Faults) -> Change<TaxonID> {
        if let taxon = targets.taxon(of: target) { return .set(taxon) }
        faults.add("/targetId", RuleViolation(.unknown, "must be the id of a target"))
        return .unset
    }

    private func correction(
        _ patch: SightingRequest, _ record: SightingRecord?, _ account: AccountID, _ kept: SightingContent
    ) throws -> CorrectSighting {
        var faults = Faults()
        var command = CorrectSighting(observer: account, kept: kept, receivedAt: now())
        if let record {
            command.identification = identify(patch, &faults)
            command.changes = try locate(patch, over: record.details, &faults)
        }
        try faults.throwIfAny()
        command.content.notes = patch.notes.applied(to: kept.notes)
        command.content.verbatimName = patch.name.applied(to: kept.verbatimName)
        return command
    }

    /// The faults of a submission's times. A well-formed submission is checked when it is submitted.
    package func implausibleTimes(of request: SightingRequest) -> Faults {
        var faults = Faults()
        let receivedAt = now()
        // The zone makes no difference to what is in the future; looking the place up would cost more than the rest.
        if let time = request.observedAt, let observed = try? ObservedInterval(time, in: .utc, rules: zones) {
            faults.check("/observedAt") { try observed.checkPlausible(receivedAt: receivedAt) }
        }
        faults.check("/visit") { try request.changes.visit.value?.checkPlausible(receivedAt: receivedAt) }
        return faults
    }

    /// The requested taxon, or the one that the name resolves to.
    private func identify(_ request: SightingRequest, _ faults: inout Faults) -> Change<Identification> {
        let names = catalogue.names
        switch (request.taxon, request.name) {
        case (.set(let taxon), _):
            if names.summary(of: taxon) != nil {
                return .set(Identification(taxon: taxon, sensitivity: names.sensitivity(of: taxon)))
            }
            faults.add("/taxonId", .unknownTaxon)
            return .unset
        case (.unset, .set(let name)):
            let identification = names.identification(of: name.text)
            if request.isStrict, identification?.taxon == nil {
                faults.add("/name", RuleViolation(.unknown, "must be the name of exactly one taxon of the catalogue"))
            }
            return identification.map(Change.set) ?? .cleared
        case (.cleared, _): return .cleared
        case (.unset, _): return .unset
        }
    }

    /// The changes with place and interval looked up. Another place may be in another zone, and then a date means
    /// another interval.
    private func locate(
        _ request: SightingRequest, over old: SightingDetails?, _ faults: inout Faults
    ) throws -> SightingChanges {
        var changes = request.changes
        if request.latitude != nil || request.longitude != nil,
            let latitude = request.latitude ?? old?.coordinate.latitude,
            let longitude = request.longitude ?? old?.coordinate.longitude
        {
            changes.coordinate = faults.check(request.latitude == nil ? "/longitude" : "/latitude") {
                try Coordinate(latitude: latitude, longitude: longitude)
            }
            changes.place = changes.coordinate.map { places.locate($0) }
        }
        guard request.observedAt != nil || changes.place != nil, let time = request.observedAt ?? old?.observed.value
        else { return changes }
        let zone = changes.place.map { self.zone(of: $0) } ?? old?.observed.zone ?? .utc
        changes.observed = try ObservedInterval(time, in: zone, rules: zones)
        return changes
    }

    /// The zone of the place's region, else UTC.
    private func zone(of place: Place) -> ZoneName {
        place.region.flatMap { places.regions[$0]?.zone } ?? ZoneName.utc
    }
}
