import Domain
import EventLog
import FoundationEssentials
import Postgres
import TestRandom
import Testing

@testable import ReadModels

/// A table that filters apply to.
enum FilteredTable {
    case exact
    case records(PublicMoment)

    private var source: SQL {
        switch self {
        case .exact: "\(identifier: ReadModel.sightingsExact.schema).sightings s where upper_inf(s.valid)"
        case .records(let moment):
            """
            \(identifier: ReadModel.sightingsPublic.schema).records s
             where s.kind = 'record' and \(fragment: PublicListStatement.isComplete)
               and \(fragment: moment.condition)
            """
        }
    }

    func rows(_ fixture: ModelFixture) async throws -> [FilteredRow] {
        let result = try await fixture.pool.query(
            """
            select s.id, s.taxon, s.region, s.state, s.country, s.status, s.latitude, s.longitude, s.uncertainty,
                   s.local_from::text as first, s.local_to::text as last, s.captive, s.dataset, s.confidence,
                   s.licence
              from \(fragment: source)
            """)
        let pictured = try await pictured(fixture)
        return try result.rows.map { try FilteredRow($0, pictured) }
    }

    /// The rows that have a photo.
    private func pictured(_ fixture: ModelFixture) async throws -> Set<UUID> {
        let query: SQL =
            switch self {
            case .exact:
                """
                select s.sighting as id from \(identifier: ReadModel.photos.schema).photos s
                 where s.status <> 'deleted'
                """
            case .records(let moment):
                """
                select s.record as id from \(fragment: PublicPhotoQueries.table)
                 where not s.guarded and \(fragment: moment.photoCondition)
                """
            }
        return Set(try await fixture.pool.query(query).rows.map { try $0.decode("id") })
    }

    func ids(meeting filter: RecordFilter, _ fixture: ModelFixture) async throws -> [String] {
        let moment: PublicMoment? = if case .records(let moment) = self { moment } else { nil }
        let result = try await fixture.pool.query(
            "select s.id from \(fragment: source) and \(fragment: filter.condition(asOf: moment))")
        return try result.rows.map { try $0.decode("id", as: UUID.self).uuidString }.sorted()
    }
}

/// The kinds of taxa as they are now, and their parents as of a position.
struct FilteredTaxa {
    private(set) var kinds: [UUID: String] = [:]
    private var parents: [UUID: UUID] = [:]

    init(_ fixture: ModelFixture, asOf position: Int64) async throws {
        let taxa = try await fixture.pool.query("select id, kind from \(identifier: ReadModel.taxa.schema).taxa")
        for row in taxa.rows { kinds[try row.decode("id")] = try row.decode("kind", as: String?.self) }
        let placed = try await fixture.pool.query(
            """
            select distinct on (taxon) taxon, parent
              from \(identifier: ReadModel.sightingsPublic.schema).taxon_parents
             where since <= \(position) order by taxon, since desc
            """)
        for row in placed.rows { parents[try row.decode("taxon")] = try row.decode("parent", as: UUID?.self) }
    }

    /// A taxon and its ancestors.
    func line(of taxon: UUID) -> [UUID] {
        var line = [taxon]
        while let parent = line.last.flatMap({ parents[$0] }), !line.contains(parent) { line.append(parent) }
        return line
    }
}

struct FilteredRow {
    let id: String
    let taxon: UUID?
    let region, state, country, status: String?
    let latitude, longitude, uncertainty: Double?
    /// Local dates.
    let first, last: String?
    let captive: Bool?
    let dataset: UUID?
    let confidence: Int?
    let licence: String?
    let hasPhoto: Bool

    init(_ row: PostgresRow, _ pictured: Set<UUID>) throws {
        id = try row.decode("id", as: UUID.self).uuidString
        taxon = try row.decode("taxon")
        region = try row.decode("region")
        state = try row.decode("state")
        country = try row.decode("country")
        status = try row.decode("status")
        latitude = try row.decode("latitude")
        longitude = try row.decode("longitude")
        uncertainty = try row.decode("uncertainty")
        first = try row.decode("first")
        last = try row.decode("last")
        captive = try row.decode("captive")
        dataset = try row.decode("dataset")
        confidence = try row.decode("confidence")
        licence = try row.decode("licence")
        hasPhoto = try pictured.contains(row.decode("id"))
    }

    func meets(_ filter: RecordFilter, _ taxa: FilteredTaxa) -> Bool {
        func isMet<Value: Equatable>(_ wanted: Value?, _ value: Value?) -> Bool { wanted == nil || wanted == value }
        let line = taxon.map { taxa.line(of: $0) } ?? []
        let isOfTaxon = filter.taxon.map { line.contains($0.uuid) } ?? true
        let isOfKind = isMet(filter.kind?.rawValue, taxon.flatMap { taxa.kinds[$0] })
        let isThere =
            isMet(filter.region?.text, region) && isMet(filter.state?.text, state)
            && isMet(filter.country?.text, country) && filter.box.map(isInside) ?? true
        // Dates in this form sort like texts.
        let isAfter = filter.from.map { from in first.map { $0 >= from.description } ?? false } ?? true
        let isBefore = filter.to.map { to in last.map { $0 <= to.description } ?? false } ?? true
        let isCertain = filter.maxUncertainty.map { latitude != nil && uncertainty ?? 0 <= $0.value } ?? true
        let isOfStatus = filter.statuses.isEmpty || filter.statuses.contains { $0.rawValue == status }
        let choice = dataset.map { DatasetChoice.one(DatasetID($0)) } ?? DatasetChoice.none
        let isSure = filter.minConfidence.map { least in confidence.map { $0 >= least.value } ?? false } ?? true
        return isOfTaxon && isOfKind && isThere && isAfter && isBefore && isCertain && isOfStatus && isSure
            && isMet(filter.captive, captive ?? false) && isMet(filter.hasPhoto, hasPhoto)
            && isMet(filter.dataset, choice)
    }

    private func isInside(_ box: BoundingBox) -> Bool {
        guard let latitude, let longitude, (box.south...box.north).contains(latitude) else { return false }
        return box.west <= box.east
            ? (box.west...box.east).contains(longitude) : longitude >= box.west || longitude <= box.east
    }

    /// A filter with some members, each taken from the row's values or chosen at random.
    func filter(
        _ members: [RecordFilter.Member], _ taxa: FilteredTaxa, _ random: inout RandomSource
    ) throws -> RecordFilter {
        var filter = RecordFilter()
        for member in members {
            switch member {
            case .taxon:
                if let taxon { filter.taxon = TaxonID(random.element(of: taxa.line(of: taxon))) }
            case .kind: filter.kind = random.element(of: [TaxonKind.bird, .mammal])
            case .region: filter.region = region.map { RegionCode(unchecked: $0) }
            case .state: filter.state = state.map { StateCode(unchecked: $0) }
            case .country: filter.country = country.map { CountryCode(unchecked: $0) }
            case .box: filter.box = try box(width: random.double(in: 0...30))
            case .from: filter.from = try first.map { try CivilDate($0) }
            case .to: filter.to = try last.map { try CivilDate($0) }
            case .statuses:
                let own = status.flatMap { SightingStatus(rawValue: $0) }
                filter.statuses = Set([own, random.element(of: SightingStatus.allCases)].compactMap { $0 })
            case .maxUncertainty: filter.maxUncertainty = try UncertaintyMetres(random.element(of: [1.0, 30, 8_000]))
            case .captive: filter.captive = random.isTrue(oneIn: 2)
            case .minConfidence: filter.minConfidence = try Confidence(random.int(in: 1...10))
            case .hasPhoto: filter.hasPhoto = random.isTrue(oneIn: 2)
            case .dataset:
                filter.dataset = dataset.map { DatasetChoice.one(DatasetID($0)) } ?? DatasetChoice.none
            }
        }
        return filter
    }

    /// A box around the place, across the 180th meridian where that is near.
    private func box(width: Double) throws -> BoundingBox {
        guard let latitude, let longitude else { return .world }
        func wrapped(_ degrees: Double) -> Double {
            if degrees > 180 { return degrees - 360 }
            return degrees < -180 ? degrees + 360 : degrees
        }
        return try BoundingBox(
            west: wrapped(longitude - width), south: max(-90, latitude - width), east: wrapped(longitude + width),
            north: min(90, latitude + width))
    }
}
