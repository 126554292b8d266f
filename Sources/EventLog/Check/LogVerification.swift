package import Postgres

/// The checks that `skein verify` makes on a log, and their results.
package struct LogVerification: Sendable, Hashable {
    /// One thing that was checked.
    package struct Check: Sendable, Hashable {
        /// The rule that must hold.
        package let name: String
        /// How many rows or values were checked.
        package let examined: Int64
        /// How many break the rule; 0 if it holds.
        package let broken: Int64
    }

    /// The highest position of the log that was checked.
    package let head: Int64
    /// The checks, in the order they ran.
    package let checks: [Check]

    /// Whether nothing is broken.
    package var isSound: Bool { checks.allSatisfy { $0.broken == 0 } }

    /// Reads the whole log; minutes on a large one. All checks see one snapshot.
    /// - Throws: `PostgresError`.
    package static func run(_ pool: PostgresPool) async throws -> LogVerification {
        try await pool.transaction(within: .seconds(24 * 3_600)) { connection in
            _ = try await connection.query("set transaction isolation level repeatable read, read only")
            let head = try await LogOrigin.read(connection).position
            var checks: [Check] = []
            for (name, sql) in statements {
                let row = try await connection.query(sql).onlyRow()
                checks.append(
                    Check(name: name, examined: try row.decode("examined"), broken: try row.decode("broken")))
            }
            return LogVerification(head: head, checks: checks)
        }
    }

    private static let statements: [(String, SQL)] = [
        (
            "positions are gap-free from 1 to the head",
            """
            select count(*) as examined, greatest(coalesce(max(position), 0) - count(*), 0)
                   + count(*) - count(distinct position) as broken from log.events
            """
        ),
        (
            "versions of a stream are 1, 2, 3 … in the order of positions",
            """
            select count(*) as examined, count(*) filter (where version <> place) as broken
              from (select version, row_number() over (partition by stream order by position) as place
                      from log.events) numbered
            """
        ),
        (
            "streams know their version and first position",
            """
            select count(*) as examined,
                   count(*) filter (where s.version is distinct from e.version
                                       or s.first_position is distinct from e.first_position) as broken
              from log.streams s
              full join (select stream, max(version) as version, min(position) as first_position
                           from log.events group by stream) e on e.stream = s.id
            """
        ),
        (
            "times never go back",
            """
            select count(*) as examined, count(*) filter (where recorded_at < before) as broken
              from (select recorded_at, lag(recorded_at) over (order by position) as before from log.events) pairs
            """
        ),
        (
            "a command is in a stream once",
            """
            select count(*) as examined, coalesce(sum(times - 1), 0)::bigint as broken
              from (select count(*) as times from log.events where command is not null group by stream, command) c
            """
        ),
        (
            "redacted payloads have a PayloadRedacted event, and the other way round",
            """
            select count(*) as examined, count(*) filter (where t.position is null or r.position is null) as broken
              from (select position from log.events where payload::jsonb ? 'redacted') t
              full join (select distinct (payload ->> 'position')::bigint as position
                           from log.events where type = 'PayloadRedacted') r using (position)
            """
        ),
        (
            "content belongs to a position of its own stream",
            """
            select count(*) as examined, count(*) filter (where e.position is null) as broken
              from vault.content c
              left join log.events e on e.position = c.position and e.stream = c.stream
            """
        ),
        (
            "no checkpoint is ahead of the head",
            """
            select count(*) as examined,
                   count(*) filter (where position > (select coalesce(max(position), 0) from log.events)) as broken
              from model.checkpoints
            """
        ),
    ]
}
