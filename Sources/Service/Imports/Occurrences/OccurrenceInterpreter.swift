import Bytes
import Domain
import Exchange

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

    private let identifications = BoundedCache<String, Identification?>(limit: 20_000)
    private let located = BoundedCache<Coordinate, Place>(limit: 20_000)
    private let intervals = BoundedCache<Moment, ObservedInterval>(limit: 20_000)

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
            dataset: dataset, batch: batch, identification: identification(candidates, of: row), details: details,
            occurrence: content.fingerprint, recorder: recorder(of: row),
            record: content.record(verbatimName: candidates.first), receivedAt: receivedAt)
    }

    /// A keyed hash of who observed it; another one in another dataset.
    func recorder(of row: OccurrenceRow) -> RecorderID? {
        guard let text = row[.recordedBy]?.trimmed.lowercased(), !text.isEmpty else { return nil }
        return RecorderID(signer.id(of: "recorder", dataset.description, text))
    }

    /// The first name that matches a taxon, with the most sensitive category of all that the row's names may mean.
    private func identification(_ candidates: [String], of row: OccurrenceRow) -> Identification? {
        let found = candidates.compactMap(identification)
        var best = found.first { $0.taxon != nil } ?? Identification()
        let others = OccurrenceNames.others(of: row, candidates, nameColumns).compactMap(identification)
        best.sensitivity = (found + others).reduce(nil) { .mostSensitive($0, $1.sensitivity) }
        return best == Identification() ? nil : best
    }

    private func identification(_ name: String) -> Identification? {
        identifications.value(for: name) { names.identification(of: name) }
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

/// Why a row is rejected: a code that is the same for all rows with the same fault, and a sentence.
struct RowRefusal: Error, Equatable {
    let reason: String
    let detail: String

    static let noDate = RowRefusal(reason: "no-date", detail: "eventDate and year are missing")
    static let invalidDate = RowRefusal(
        reason: "invalid-date", detail: "not a date; write 2026-05-01, 2026-05 or 2026")
    static let longInterval = RowRefusal(
        reason: "date-interval", detail: "the interval spans two years, so that no year, month or day contains it")
    static let noPlace = RowRefusal(
        reason: "no-coordinates", detail: "decimalLatitude or decimalLongitude is missing")
    static let absence = RowRefusal(reason: "absence", detail: "the row says that nothing was there")
    static let invalidCount = RowRefusal(
        reason: "invalid-count", detail: "the count is not a whole number from 1 to 1,000,000")
    static let repeatedID = RowRefusal(
        reason: "repeated-id", detail: "an earlier row has the same occurrenceID and different content")
    static let redacted = RowRefusal(
        reason: "redacted", detail: "this record was redacted and can no longer change")
    static let forPrivacy = RowRefusal(
        reason: "withdrawn-for-privacy", detail: "this record was withdrawn for privacy and stays withdrawn")
    static let otherDataset = RowRefusal(reason: "other-dataset", detail: "this record belongs to another dataset")

    static func invalidPlace(_ message: String) -> RowRefusal {
        RowRefusal(reason: "invalid-coordinates", detail: message)
    }

    static func implausibleDate(_ message: String) -> RowRefusal {
        RowRefusal(reason: "date-out-of-range", detail: message)
    }

    static func unrecordable(_ message: String) -> RowRefusal {
        RowRefusal(reason: "not-recordable", detail: message)
    }
}
