import FoundationEssentials
import Postgres

// Checks of the tables beside the events, in slices of their primary keys. The result is empty after the last slice;
// its first row has the last key of the slice.
extension SlicedReading {
    /// Streams that began after the start of the verification are left out, and so are versions appended since.
    ///
    /// `once` is the sum of the versions of all streams at the head: the number of events, unless one is there twice.
    static func streams(after id: UUID, limit: Int64, head: Int64) -> SQL {
        """
        with slice as materialized (
            select s.id, s.version, s.first_position from log.streams s where s.id > \(id) order by s.id limit \(limit)
        ), judged as (
            select first.found is not null and newest.version = s.version as holds,
                   case when newest.position <= \(head) then newest.version else earlier.version end as versions
              from slice s
              left join lateral (
                select true as found from log.events e
                 where e.position = s.first_position and e.stream = s.id and e.version = 1 limit 1) first on true
              left join lateral (
                select e.version, e.position from log.events e
                 where e.stream = s.id and e.version >= s.version and e.position >= s.first_position
                 order by e.version desc limit 1) newest on true
              left join lateral (
                select e.version from log.events e
                 where newest.position > \(head) and e.stream = s.id and e.version < newest.version
                   and e.position >= s.first_position and e.position + 0 <= \(head)
                 order by e.version desc limit 1) earlier on true
             where s.first_position <= \(head)
        ), last as (
            select id from slice order by id desc limit 1
        )
        select r.rule, r.examined, r.broken, last.id as last
          from last
         cross join (select count(*) as streams, count(*) filter (where holds is not true) as broken,
                            coalesce(sum(versions), 0)::bigint as versions from judged) j
         cross join lateral (
            values ('streams', j.streams, j.broken), ('once', j.versions, 0)) r (rule, examined, broken)
        """
    }

    static func content(after key: ContentKey, limit: Int64, head: Int64) -> SQL {
        """
        with slice as materialized (
            select c.stream, c.field, c.position
              from vault.content c
             where (c.stream, c.field, c.position) > (\(key.stream), \(key.field), \(key.position))
             order by c.stream, c.field, c.position limit \(limit)
        ), judged as (
            select e.found is not null as holds
              from slice c
              left join lateral (
                select true as found from log.events e
                 where e.position = c.position and e.stream = c.stream limit 1) e on true
             where c.position <= \(head)
        )
        select 'content' as rule, j.examined, j.broken, last.stream, last.field, last.position
          from (select stream, field, position from slice
                 order by stream desc, field desc, position desc limit 1) last
         cross join (select count(*) as examined, count(*) filter (where not holds) as broken from judged) j
        """
    }

    static let checkpoints: SQL = """
        select 'checkpoints' as rule, count(*) as examined,
               count(*) filter (where position > (select coalesce(max(position), 0) from log.events)) as broken
          from model.checkpoints
        """
}

/// The primary key of content; begins below all of them.
struct ContentKey {
    var stream = UUID(bytes: [])
    var field = ""
    var position: Int64 = 0
}

extension ContentKey {
    init(row: PostgresRow) throws(PostgresError) {
        stream = try row.decode("stream")
        field = try row.decode("field")
        position = try row.decode("position")
    }
}
