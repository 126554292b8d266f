package import Domain
import EventLog
package import FoundationEssentials

/// Admins' part in the targets of a region and week: plans for later weeks, and replacements in the running one.
package struct TargetService: Sendable {
    let store: StreamStore
    let catalogue: Catalogue
    let calendar: TargetCalendar
    let lists: TargetLists
    let signer: CommandSigner
    let now: @Sendable () -> Instant

    /// A region's week with all that is known of it.
    package struct Week: Sendable {
        package let id: TargetsID
        package let region: RegionCode
        package let week: ISOWeek
        package let state: TargetsState
        /// 0 while nothing is recorded.
        package let version: Int
        package let position: Int64
    }

    /// A region's week.
    /// - Throws: ``CommandError/notFound`` for an unknown region; what the database throws.
    package func week(_ region: RegionCode, _ week: ISOWeek) async throws -> Week {
        _ = try known(region)
        let id = calendar.ids.targets(region, week)
        let stored: Stored<TargetsState>? = try await store.load(id.uuid)
        return Week(
            id: id, region: region, week: week, state: stored?.state ?? TargetsState(), version: stored?.version ?? 0,
            position: stored?.position ?? 0)
    }

    /// Fixes some or all targets of a week that has not begun.
    /// - Parameter ifVersions: the versions that may be changed (`If-Match`); nil for any.
    /// - Throws: `Faults`, ``CommandError``, `TargetsRejection`; what the database throws.
    package func plan(
        _ region: RegionCode, _ week: ISOWeek, _ taxa: [TaxonID], ifVersions: Set<Int>?, by admin: AccountID, key: UUID
    ) async throws -> Week {
        let request = CanonicalText(taxa.map(\.description))
        return try await change(
            region, week, "PlanTargets", request, ifVersions: ifVersions, by: admin, key: key
        ) { known in
            try check(taxa, in: week)
            let hasBegun = try now() >= calendar.span(of: week, in: known).lowerBound
            return .plan(PlanTargets(region: region, week: week, taxa: taxa, hasBegun: hasBegun))
        }
    }

    /// Replaces a target in its week.
    /// - Parameter ifVersions: the versions that may be changed (`If-Match`); nil for any.
    /// - Throws: `Faults`, ``CommandError``, `TargetsRejection`; what the database throws.
    package func replace(
        _ target: TargetID, in region: RegionCode, _ week: ISOWeek, by taxon: TaxonID, _ reason: ReplacementReason,
        ifVersions: Set<Int>?, by admin: AccountID, key: UUID
    ) async throws -> Week {
        let request = CanonicalText(target.description, taxon.description, reason.rawValue)
        return try await change(
            region, week, "ReplaceTarget", request, ifVersions: ifVersions, by: admin, key: key
        ) { _ in
            try check([taxon], in: week, at: "/taxonId")
            let replacement = ChosenTarget(
                id: calendar.ids.target(region, week, taxon), taxon: taxon, basis: .plan, difficulty: nil, score: nil)
            return .replace(ReplaceTarget(target: target, replacement: replacement, reason: reason, at: now()))
        }
    }

    private func known(_ region: RegionCode) throws(CommandError) -> Region {
        guard let known = calendar.places.index.regions[region] else { throw .notFound }
        return known
    }

    /// - Parameter pointer: of the only taxon; nil for those of a list.
    private func check(_ taxa: [TaxonID], in week: ISOWeek, at pointer: String? = nil) throws(Faults) {
        var faults = Faults()
        let names = catalogue.names
        for (number, taxon) in taxa.enumerated() {
            let pointer = pointer ?? "/taxa/\(number)"
            guard !taxa[..<number].contains(taxon) else {
                faults.add(pointer, RuleViolation(.conflict, "must not be in the list twice"))
                continue
            }
            guard let summary = names.summary(of: taxon) else {
                faults.add(pointer, .unknownTaxon)
                continue
            }
            if summary.rank != .species || names.sensitivity(of: taxon) != nil
                || lists.disturbed(in: week).contains(summary.scientificName)
            {
                faults.add(
                    pointer,
                    RuleViolation(.conflict, "must be a species that is neither sensitive nor disturbed at its nest"))
            }
        }
        try faults.throwIfAny()
    }

    private func change(
        _ region: RegionCode, _ week: ISOWeek, _ name: String, _ request: CanonicalText, ifVersions: Set<Int>?,
        by admin: AccountID, key: UUID, command: (Region) throws -> TargetsCommand
    ) async throws -> Week {
        let known = try known(region)
        let id = calendar.ids.targets(region, week)
        let identity = signer.identity(
            account: admin.uuid, command: name, target: id.uuid, ifVersions: ifVersions, key: key, request: request,
            actor: admin.uuid)
        let outcome: Outcome<TargetsState>? = try await store.beginOrChange(
            id.uuid, ifVersions: ifVersions, identity
        ) { try TargetsDecider.decide(try command(known), $0) }
        guard let outcome else { return try await self.week(region, week) }
        return Week(
            id: id, region: region, week: week, state: outcome.stored.state, version: outcome.stored.version,
            position: outcome.stored.position)
    }
}
