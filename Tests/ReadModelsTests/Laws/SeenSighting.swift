import Crypto
import Domain
import FoundationEssentials
import ReadModels

/// The visible values of a sighting, for comparison. Another test covers the uncertainties of cells.
struct SeenSighting: Hashable {
    var id: SightingID
    var kind: PublicSighting.Kind
    var status: SightingStatus?
    var withdrawal: WithdrawalReason?
    var observer: ObserverID?
    var dataset: DatasetID?
    var taxon: TaxonID?
    var qualifier: TaxonQualifier?
    var sensitivity: SensitivityCategory?
    var count: Int?
    var countRange: CountRange?
    var confidence: Int?
    var observed: ObservationTime?
    var localFrom: CivilDate?
    var localTo: CivilDate?
    var coordinate: Coordinate?
    var decimals: Int?
    var state: StateCode?
    var region: RegionCode?
    var country: CountryCode?
    var captive: Bool?
    var licence: Licence?
    var geoprivacy: Geoprivacy?
    var surveyProtocol: SurveyProtocol?
    var showsContent = false

    init(gone id: SightingID) {
        self.id = id
        kind = .gone
    }

    init(_ row: PublicSighting) {
        (id, kind, status, withdrawal) = (row.id, row.kind, row.status, row.withdrawal)
        (observer, dataset, taxon, qualifier) = (row.observer, row.dataset, row.taxon, row.qualifier)
        (sensitivity, count, countRange, confidence) = (row.sensitivity, row.count, row.countRange, row.confidence)
        (observed, localFrom, localTo) = (row.observed, row.localFrom, row.localTo)
        (coordinate, decimals, state, region) = (row.coordinate, row.decimals, row.state, row.region)
        (country, captive, licence, geoprivacy) = (row.country, row.captive, row.licence, row.geoprivacy)
        (surveyProtocol, showsContent) = (row.surveyProtocol, row.showsContent)
    }

    init(
        id: SightingID, _ sighting: SightingState, _ record: SightingRecord, _ sensitivity: SensitivityCategory?,
        geoprivacy: Geoprivacy, observer: ObserverID?, isForgotten: Bool
    ) {
        let details = record.details
        let view = Generalisation(sensitivity: sensitivity, geoprivacy: geoprivacy).view(
            coordinate: details.coordinate, uncertainty: details.uncertainty, place: details.place,
            observed: details.observed)
        self.id = id
        kind = sighting.status == .withdrawn ? .tombstone : .record
        status = sighting.status
        withdrawal = sighting.withdrawal
        (taxon, qualifier) = (record.identification.taxon, record.identification.qualifier)
        (observed, localFrom, localTo) = (view.observed.value, view.observed.localFrom, view.observed.localTo)
        guard kind == .record else { return }
        self.sensitivity = sensitivity
        self.observer = view.showsObserver ? observer : nil
        dataset = record.dataset
        if view.detail == .guarded {
            countRange = details.count.map { $0.value == 1 ? .one : $0.value <= 10 ? .few : .many }
        } else {
            (count, confidence) = (details.count?.value, details.confidence?.value)
            surveyProtocol = details.surveyProtocol
        }
        coordinate = view.place?.coordinate
        decimals = view.place?.decimals
        (state, region, country) = (view.place?.state, view.place?.region, view.place?.country)
        (captive, licence, self.geoprivacy) = (details.captive, details.licence, geoprivacy)
        showsContent = view.showsObserver && !isForgotten
    }
}

enum HashedID {
    /// The first half of a hash as a UUID of version 8.
    static func uuid(_ bytes: [UInt8]) -> UUID {
        var id = SHA256.hash(data: bytes).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        (id.6, id.8) = (id.6 & 0x0f | 0x80, id.8 & 0x3f | 0x80)
        return UUID(uuid: id)
    }
}
