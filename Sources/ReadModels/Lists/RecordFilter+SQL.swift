import Domain
import EventLog
import FoundationEssentials
import Postgres

/// The conditions of a filter for rows of `sightings_exact.sightings` or of the public `records`.
///
/// Every condition compares a column of these that is public for guarded records, too. A new one must not find guarded
/// records by anything else: see "What guarded records and photos show" in `docs/privacy.md`. Moderators, who must not
/// learn the days of guarded sightings either, have conditions of their own (``ModerationQueries``).
extension RecordFilter {
    /// - Parameters:
    ///   - members: the conditions to include; the caller applies the others.
    ///   - row: the alias of the table.
    ///   - moment: the moment as of which public records are read, and the taxonomy for descendants of the taxon; nil
    ///     for exact records, which are read as they are now.
    func condition(
        _ members: Set<Member> = Member.all, of row: SQL = "s", asOf moment: PublicMoment? = nil
    ) -> SQL {
        var condition: SQL = "true"
        for member in Member.allCases where members.contains(member) {
            guard let one = self.condition(member, row, moment) else { continue }
            condition = "\(fragment: condition) and \(fragment: one)"
        }
        return condition
    }

    private func condition(_ member: Member, _ row: SQL, _ moment: PublicMoment?) -> SQL? {
        switch member {
        case .taxon:
            taxon.map { "\(fragment: row).taxon = any(array(\(fragment: Self.below($0, moment))))" }
        case .kind: kind?.condition(of: "\(fragment: row).taxon")
        case .region: region.map { "\(fragment: row).region = \($0.text)" }
        case .state: state.map { "\(fragment: row).state = \($0.text)" }
        case .country: country.map { "\(fragment: row).country = \($0.text)" }
        case .box: box.map { Self.isInside($0, row) }
        case .from: from.map { "\(fragment: row).local_from >= \($0.description)::text::date" }
        case .to: to.map { "\(fragment: row).local_to <= \($0.description)::text::date" }
        case .statuses:
            statuses.isEmpty ? nil : "\(fragment: row).status = any(\(statuses.map(\.rawValue)))" as SQL
        case .minConfidence: minConfidence.map { "\(fragment: row).confidence >= \($0.value)" }
        case .maxUncertainty:
            maxUncertainty.map {
                "\(fragment: row).latitude is not null and coalesce(\(fragment: row).uncertainty, 0) <= \($0.value)"
            }
        case .hasPhoto: hasPhoto.map { "\(fragment: Self.hasPhoto(row, moment)) = \($0)" }
        case .captive: captive.map { "coalesce(\(fragment: row).captive, false) = \($0)" }
        case .dataset:
            switch dataset {
            case .one(let id)?: "\(fragment: row).dataset = \(id.uuid)"
            case DatasetChoice.none?: "\(fragment: row).dataset is null"
            case nil: nil
            }
        }
    }

    /// Whether a row has a photo: a public record one that is shown with it, an exact one any that is not deleted.
    private static func hasPhoto(_ row: SQL, _ moment: PublicMoment?) -> SQL {
        guard let moment else {
            return """
                exists (select from \(identifier: ReadModel.photos.schema).photos p
                         where p.sighting = \(fragment: row).id and p.status <> 'deleted')
                """
        }
        return """
            exists (select from (select \(fragment: row).id as record) r
                     cross join lateral (
                       select from \(fragment: PublicPhotoQueries.table)
                        where s.record = r.record and not s.guarded and \(fragment: moment.photoCondition)) p)
            """
    }

    private static func below(_ taxon: TaxonID, _ moment: PublicMoment?) -> SQL {
        guard let moment else { return TaxonLines.below([taxon]) }
        return PublicSightingQueries.below(taxon, asOf: moment.known)
    }

    private static func isInside(_ box: BoundingBox, _ row: SQL) -> SQL {
        let longitude: SQL = "\(fragment: row).longitude"
        let longitudes: SQL =
            box.west <= box.east
            ? "\(fragment: longitude) between \(box.west) and \(box.east)"
            : "(\(fragment: longitude) >= \(box.west) or \(fragment: longitude) <= \(box.east))"
        return "\(fragment: row).latitude between \(box.south) and \(box.north) and \(fragment: longitudes)"
    }
}
