import Bytes
import Domain
import Exchange
import Service

/// Turns the Darwin Core values of a row into the domain's values for an event.
///
/// Shared by the tasks of an import; costly results are cached, because files repeat names, places and days.
struct OccurrenceInterpreter: Sendable {
    private struct Moment: Hashable {
        let time: ObservationTime
        let zone: ZoneName
    }

    let dataset: DatasetID
    let batch: BatchID
    /// The licence of records that name none.
    let licence: Licence?
    let names: TaxonNames
    let places: PlaceIndex
    let zones: any ZoneRules
    /// With the key of the log.
    let signer: CommandSigner
    let receivedAt: Instant
    /// The columns that are no Darwin Core terms but may name the animal, by position.
    let nameColumns: [Int]
    /// The positions of the columns, other than Darwin Core's, that say whether the organism was captive.
    let captiveColumns: [Int]
    /// The columns that name visits; nil if the import names none.
    let visitColumns: VisitColumns?

    private let identifications = BoundedCache<OccurrenceNames.Candidate, Identification?>(limit: 20_000)
    private let located = BoundedCache<Coordinate, Place>(limit: 20_000)
    private let intervals = BoundedCache<Moment, ObservedInterval>(limit: 20_000)

    /// - Throws: ``RowRejection``; `UnknownZone`.
    func command(
        for row: OccurrenceRow, _ content: OccurrenceContent, visit: Change<RowVisit>
    ) throws -> ImportSighting {
        let count = try OccurrenceCount.count(of: row)
        let time = try OccurrenceTime(row)
        let coordinate = try coordinate(of: row)
        let place = located.value(for: coordinate) { places.locate(coordinate) }
        let zone = place.region.flatMap { places.regions[$0]?.zone } ?? ZoneName.utc
        let resolved = try time.resolved { try interval(.instant($0, offsetMinutes: 0), in: zone).localFrom }
        let observed = try interval(resolved, in: zone)
        let candidates = OccurrenceNames.candidates(of: row)
        var details = SightingDetails(observed: observed, coordinate: coordinate, place: place)
        details.count = count
        if case .value(let metres) = row.number(.coordinateUncertaintyInMeters) {
            details.uncertainty = try? UncertaintyMetres(metres)
        }
        details.captive = OccurrenceCaptivity.isCaptive(row, captiveColumns)
        details.licence = licence(of: row)
        return ImportSighting(
            dataset: dataset, batch: batch, identification: identification(candidates, of: row), details: details,
            occurrence: content.fingerprint, recorder: recorder(of: row), rowVisit: visit,
            record: content.record(verbatimName: candidates.first?.text), receivedAt: receivedAt)
    }

    /// A keyed hash of who observed it; another one in another dataset.
    func recorder(of row: OccurrenceRow) -> RecorderID? {
        guard let text = row[.recordedBy]?.trimmed.lowercased(), !text.isEmpty else { return nil }
        return RecorderID(signer.id(of: "recorder", dataset.description, text))
    }

    /// A keyed hash of the values that identify the visit of a row, in this order. It differs between datasets.
    /// - Returns: unset if the import names no columns of visits; cleared if the row has no visit.
    func visit(of row: OccurrenceRow) -> Change<RowVisit> {
        guard let visitColumns else { return .unset }
        guard let values = visitColumns.values(of: row) else { return .cleared }
        let id = RowVisitID(signer.id(of: ["visit", dataset.description] + values))
        return .set(RowVisit(id: id, isComplete: visitColumns.isComplete))
    }

    /// The first name that matches a taxon, with the most sensitive category of all that the row's names may mean.
    private func identification(
        _ candidates: [OccurrenceNames.Candidate], of row: OccurrenceRow
    ) -> Identification? {
        let found = candidates.compactMap(identification)
        var best = found.first { $0.taxon != nil } ?? Identification()
        let others = OccurrenceNames.others(of: row, candidates.map(\.text), nameColumns).compactMap {
            identification(OccurrenceNames.Candidate(text: $0, meaning: .everyday))
        }
        best.sensitivity = (found + others).reduce(nil) { .mostSensitive($0, $1.sensitivity) }
        return best == Identification() ? nil : best
    }

    private func identification(_ name: OccurrenceNames.Candidate) -> Identification? {
        identifications.value(for: name) { names.identification(of: name.text, as: name.meaning) }
    }

    private func interval(_ time: ObservationTime, in zone: ZoneName) throws -> ObservedInterval {
        try intervals.value(for: Moment(time: time, zone: zone)) {
            try ObservedInterval(time, in: zone, rules: zones)
        }
    }

    private func coordinate(of row: OccurrenceRow) throws -> Coordinate {
        switch (row.number(.decimalLatitude), row.number(.decimalLongitude)) {
        case (.missing, _), (_, .missing): throw RowRejection.noPlace
        case (.malformed, _), (_, .malformed):
            throw RowRejection.invalidPlace("the coordinates are not decimal degrees such as 47.81")
        case (.value(let latitude), .value(let longitude)):
            do {
                return try Coordinate(latitude: latitude, longitude: longitude)
            } catch {
                throw RowRejection.invalidPlace("the place \(error.message)")
            }
        }
    }

    /// An unknown licence is not replaced by the dataset's: the record's licensor chose another one.
    private func licence(of row: OccurrenceRow) -> Licence? {
        guard let text = row[.license]?.trimmed, !text.isEmpty else { return licence }
        return Licence(recognising: text)
    }
}
