import Domain
import EventLog
import Postgres

extension PublicListStatement {
    /// The first records with photos, found through the photos of a taxon or all photos. If few records meet another
    /// condition, these are read instead, and their photos are looked up.
    var pictured: SQL {
        if let taxon = filter.taxon {
            return ofTaxa(PublicSightingQueries.below(taxon, asOf: moment.known)) {
                ofPhotos("s.taxon = \(fragment: $0)", besides: [.taxon], limit: $1)
            }
        }
        let photos = ofPhotos("true", by: Self.anyDay)
        guard let (condition, member) = ofOneSource ?? ofOnePlace ?? ofOneTrait else { return photos }
        return """
            with few as materialized (
                select count(*) < \(glance) as few
                  from (select from \(fragment: table)
                         where s.kind = 'record' and \(fragment: condition)
                           and \(fragment: isOnPage("s.local_to", "s.id"))
                         order by s.local_to desc, s.id limit (select \(glance))) s
            )
            -- The conditions inside keep the other scan from beginning.
            select s.* from few f
             cross join lateral (
                select n.* from (\(fragment: ordered(condition, besides: [member]))) n where f.few offset 0) s
            union all
            select s.* from few f
             cross join lateral (select n.* from (\(fragment: photos)) n where not f.few offset 0) s
            """
    }

    /// The records of the photos that meet an index's condition, in its order. A record comes with the first of its
    /// photos alone.
    /// - Parameters:
    ///   - members: those of the filter that the condition stands for.
    ///   - day: the last local date, as the index has it.
    ///   - limit: nil for a page.
    private func ofPhotos(
        _ condition: SQL, besides members: Set<RecordFilter.Member> = [], by day: SQL = "s.local_to",
        limit: Int? = nil
    ) -> SQL {
        let photos: SQL = "\(identifier: ReadModel.sightingsPublic.schema).photos"
        let isShown: SQL = "not s.guarded and \(fragment: moment.photoCondition)"
        return """
            select r.*
              from (select s.id, s.record, \(fragment: day) as day from \(fragment: photos) s
                     where not s.guarded and \(fragment: condition) and \(fragment: isOnPage(day, "s.record"))
                       and coalesce((\(fragment: isShown)), false)
                     order by \(fragment: day) desc, s.record) p
             cross join lateral (
                select s.* from \(fragment: table)
                 where s.id = p.record and s.kind = 'record'
                   and \(fragment: rest(members.union([.hasPhoto]))) offset 0) r
             where not exists (select from (select p.record, p.id) o
                                cross join lateral (
                                  select from \(fragment: photos) s
                                   where s.record = o.record and s.id < o.id and \(fragment: isShown)) e)
             order by p.day desc, p.record limit (select \(limit ?? page.rows))
            """
    }
}
