import Postgres

// Checks of a slice of positions, `after < position <= upTo`. Each result has one row for each rule: its name, the
// number of items examined, the number of broken ones.
//
// `+ 0`: on a table that was never analysed, two bounds make the index of positions look selective; it would then be
// read from one bound to the other.
extension SlicedReading {
    static func positions(_ after: Int64, _ upTo: Int64) -> SQL {
        """
        with slice as materialized (
            select e.position, e.recorded_at, lag(e.position) over life as before,
                   lag(e.recorded_at) over life as recorded_before
              from log.events e
             where e.position >= \(after) and e.position <= \(upTo)
            window life as (order by e.position)
        ), counted as (
            select count(*) as events, count(*) filter (where position = before) as twice,
                   count(*) filter (where recorded_at < recorded_before) as earlier
              from slice where position > \(after)
        )
        select 'positions' as rule, events as examined, abs(\(upTo) - \(after) - events) + twice as broken from counted
        union all
        select 'times', events, earlier from counted
        """
    }

    /// A version above 1 has the one before it at a lower position; a command is not at a lower version as well.
    static func versions(_ after: Int64, _ upTo: Int64) -> SQL {
        """
        with slice as materialized (
            select e.position, e.stream, e.version, e.command
              from log.events e
             where e.position > \(after) and e.position <= \(upTo) and e.version > 1
        ), judged as (
            select e.command, before.found is null as alone, again.found is not null as again
              from slice e
              left join lateral (select s.first_position from log.streams s where s.id = e.stream limit 1) s on true
              left join lateral (
                select true as found from log.events b
                 where b.stream = e.stream and b.version = e.version - 1 and b.position >= s.first_position
                   and b.position + 0 < e.position limit 1) before on true
              left join lateral (
                select true as found from log.events a
                 where a.stream = e.stream and a.command = e.command and a.position >= s.first_position
                   and a.position + 0 < e.position limit 1) again on true
        )
        select 'versions' as rule, count(*) as examined, count(*) filter (where alone) as broken from judged
        union all
        select 'commands', count(command), count(*) filter (where again) from judged
        """
    }

    /// The hash of a payload that is gone cannot be computed again; the event that redacted it carries its beginning.
    static func redactions(_ after: Int64, _ upTo: Int64) -> SQL {
        """
        with tombstones as materialized (
            select e.position, e.stream, e.version, e.payload::jsonb #>> '{redacted,sha256}' as sha256
              from log.events e
             where e.position > \(after) and e.position <= \(upTo)
               and strpos(e.payload::text, '"redacted"') > 0 and e.payload::jsonb ? 'redacted'
        ), redactions as materialized (
            select e.position, e.stream, (e.payload ->> 'position')::bigint as target
              from log.events e
             where e.position > \(after) and e.position <= \(upTo) and e.type = 'PayloadRedacted'
        ), judged as (
            select r.found is not null as holds
              from tombstones t
              left join lateral (
                select true as found from log.events r
                 where r.stream = t.stream and r.version > t.version and r.position >= t.position
                   and r.type = 'PayloadRedacted' and (r.payload ->> 'position')::bigint = t.position
                   and left(t.sha256, 32) = encode(r.fingerprint, 'hex') limit 1) r on true
            union all
            select t.found is not null
              from redactions r
              left join lateral (
                select true as found from log.events t
                 where t.position = r.target and t.stream = r.stream and t.payload::jsonb ? 'redacted'
                 limit 1) t on true
        )
        select 'redactions' as rule, count(*) as examined, count(*) filter (where not holds) as broken from judged
        """
    }
}
