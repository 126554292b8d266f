internal import Bytes
internal import Domain
internal import Exchange

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
    let receivedAt: Instant

    private let identifications = BoundedCache<String, Identification?>(limit: 20_000)
    private let located = BoundedCache<Coordinate, Place>(limit: 20_000)
    private let intervals = BoundedCache<Moment, ObservedInterval>(limit: 20_000)

    init(
        dataset: DatasetID, batch: BatchID, licence: Licence?, names: TaxonNames, places: PlaceIndex,
        zones: any ZoneRules, receivedAt: Instant
    ) {
        self.dataset = dataset
        self.batch = batch
        self.licence = licence
        self.names = names
        self.places = places
        self.zones = zones
        self.receivedAt = receivedAt
    }

    /// - Throws: ``RowRefusal``; `UnknownZone`.
    func command(for row: OccurrenceRow, _ content: OccurrenceContent) throws -> ImportSighting {
        if let status = row[.occurrenceStatus]?.trimmed.lowercased(), status == "absent" || status == "absence" {
            throw RowRefusal.absence
        }
        let time = try OccurrenceTime.time(of: row)
        let coordinate = try coordinate(of: row)
        let place = located.value(for: coordinate) { places.locate(coordinate) }
        let zone = place.region.flatMap { places.regions[$0]?.zone } ?? ZoneName.utc
        let observed = try intervals.value(for: Moment(time: time, zone: zone)) {
            try ObservedInterval(time, in: zone, rules: zones)
        }
        let candidates = OccurrenceNames.candidates(of: row)
        var details = SightingDetails(observed: observed, coordinate: coordinate, place: place)
        details.count = try count(of: row)
        details.uncertainty = row[.coordinateUncertaintyInMeters].flatMap { Double($0.trimmed) }
            .flatMap { try? UncertaintyMetres($0) }
        details.captive = isCaptive(row)
        details.licence = licence(of: row)
        return ImportSighting(
            dataset: dataset, batch: batch, identification: identification(candidates), details: details,
            occurrence: content.fingerprint, record: content.record(verbatimName: candidates.first),
            receivedAt: receivedAt)
    }

    /// The first name that matches a taxon, with the most sensitive category of all that the names may mean.
    private func identification(_ candidates: [String]) -> Identification? {
        let found = candidates.compactMap { candidate in
            identifications.value(for: candidate) { names.identification(of: candidate) }
        }
        guard var best = found.first(where: { $0.taxon != nil }) ?? found.first else { return nil }
        best.sensitivity = found.reduce(nil) { .mostSensitive($0, $1.sensitivity) }
        return best
    }

    private func coordinate(of row: OccurrenceRow) throws -> Coordinate {
        guard let latitude = row[.decimalLatitude]?.trimmed, let longitude = row[.decimalLongitude]?.trimmed,
            !latitude.isEmpty, !longitude.isEmpty
        else { throw RowRefusal.noPlace }
        guard let latitude = Double(latitude), let longitude = Double(longitude) else {
            throw RowRefusal.invalidPlace("the coordinates are not decimal degrees")
        }
        do {
            return try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            throw RowRefusal.invalidPlace("the place \(error.message)")
        }
    }

    /// No count means present but not counted; 0 means absence.
    private func count(of row: OccurrenceRow) throws -> IndividualCount? {
        var text = row[.individualCount]?.trimmed ?? ""
        if text.isEmpty, row[.organismQuantityType]?.lowercased().hasPrefix("individual") == true {
            text = row[.organismQuantity]?.trimmed ?? ""
        }
        if text.isEmpty { return nil }
        guard let number = Int(text) ?? Double(text).flatMap(Int.init(exactly:)) else { throw RowRefusal.invalidCount }
        if number == 0 { throw RowRefusal.absence }
        guard let count = try? IndividualCount(number) else { throw RowRefusal.invalidCount }
        return count
    }

    private func isCaptive(_ row: OccurrenceRow) -> Bool {
        row[.basisOfRecord].map { $0.trimmed.lowercased() == "livingspecimen" } == true
            || row[.establishmentMeans].map { Self.captiveMeans.contains($0.trimmed.lowercased()) } == true
            || row[.degreeOfEstablishment].map { Self.captiveMeans.contains($0.trimmed.lowercased()) } == true
    }

    private static let captiveMeans: Set<String> = ["captive", "cultivated", "managed"]

    /// An unknown licence is not replaced by the dataset's: the record's licensor chose another one.
    private func licence(of row: OccurrenceRow) -> Licence? {
        guard let text = row[.license]?.trimmed, !text.isEmpty else { return licence }
        return Licence(recognising: text)
    }
}
