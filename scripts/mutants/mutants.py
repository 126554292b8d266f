"""The mutations, each described once: what it breaks, where, and who has to notice."""

from dataclasses import dataclass

from trees import ROOT


@dataclass
class Mutant:
    description: str
    file: str
    # Must occur exactly once in the file.
    old: str
    new: str
    # A pattern in the output of the run that fails.
    shows: str
    # A filter of tests; None: a round of the torture.
    test: str | None = None

    @property
    def is_sql(self):
        return self.file.endswith(".sql")

    def misfit(self, folder=ROOT):
        """Why it cannot be made; None if it can."""
        times = (folder / self.file).read_text(encoding="utf-8").count(self.old)
        return None if times == 1 else f"{self.file}: {self.old!r} occurs {times} times ({self.description})"


APPEND = "migrations/0006_create_append.sql"
# The newest definition of log.append itself.
APPENDING = "migrations/0017_erase_accounts.sql"
# The newest definitions of log.take_head and model.fold.
TAKING = "migrations/0023_see_new_partitions.sql"
REDACT = "migrations/0007_create_redact.sql"
MODELS = "migrations/0008_create_models.sql"
PARTITIONS = "migrations/0004_create_partitions.sql"
STATEMENT = "Sources/EventLog/Append/AppendStatement.swift"
GUARD = "Sources/EventLog/Keep/EpochGuard.swift"
APPENDER = "Sources/EventLog/Append/Appender.swift"
QUEUE = "Sources/EventLog/Append/AppendQueue.swift"
COMMAND = "Sources/EventLog/CommandID.swift"
READER = "Sources/EventLog/Read/LogReader.swift"
EXPECTATION = "Sources/Postgres/Conversation/Expectation.swift"

MUTANTS = [
    Mutant(
        "the expected version is not compared", APPEND,
        "when coalesce(s.version, 0) <> c.expected then 3", "when false then 3", "rule 7"),
    Mutant(
        "changes are told of conflicts that are none", APPEND,
        "when coalesce(s.version, 0) <> c.expected then 3",
        "when coalesce(s.version, 0) <> c.expected or c.expected > 0 and random() < 0.2 then 3", "rule 7"),
    Mutant(
        "the look-up of repeated commands is dropped", APPEND,
        "where s.version is not null limit 1) found on true", "where false limit 1) found on true", "rule 4"),
    Mutant(
        "the content of two commands is swapped", APPENDING,
        "select p_stream[c.command], c.field, bases[c.command] + c.event, c.value",
        "select p_stream[c.command], c.field, bases[c.command] + c.event,"
        " case c.field when 'notes' then lag(c.value, 1, c.value) over (partition by c.field order by c.command)"
        " else c.value end", "rule 9: .* has other content"),
    Mutant(
        "the actor is dropped", APPENDING,
        "nullif(p_actor[e.command], '00000000-0000-0000-0000-000000000000'), now_time", "null, now_time",
        "rule 9: .* another actor"),
    Mutant(
        "a stream's version is not counted on", APPENDING,
        "update log.streams s set version = versions[c.ord]", "update log.streams s set version = s.version",
        "of rivals expecting the same version one wins.* failed", "EventLogTests.AppendTests"),
    Mutant(
        "the head is not locked", TAKING,
        "from log.head h for update;", "from log.head h;",
        "rule [1-9]|was rejected"),
    Mutant(
        "a position is skipped", TAKING,
        "last := coalesce(last, 0);", "last := coalesce(last, 0) + 1;",
        "positions are dense across streams.* failed", "EventLogTests.AppendTests"),
    Mutant(
        "the fingerprint is not compared", APPEND,
        "when found.fingerprint = c.fingerprint then 1", "when found.fingerprint is not null then 1",
        "another fingerprint is another request.* failed", "EventLogTests.AppendTests"),
    Mutant(
        "a reservation is not looked at", APPEND,
        "when c.ord = any (held) then 4", "when false then 4",
        "what is reserved by one stream.* failed", "EventLogTests.AppendTests"),
    Mutant(
        "times go back with the clock", TAKING,
        "now_time := greatest(clock, now_time);", "now_time := clock;",
        "never go back.* failed", "EventLogTests.ClockTests"),
    Mutant(
        "a rejected clock is accepted", TAKING,
        "if fault is not null then", "if false then",
        "(is rejected|an operator accepts it).* failed", "EventLogTests.ClockTests"),
    Mutant(
        "another epoch is not rejected", TAKING,
        "if head_epoch <> p_epoch then", "if false then",
        "rejects appends.* failed", "EventLogTests.EpochTests"),
    Mutant(
        "a new partition's trigger can be switched off", PARTITIONS,
        "execute format('alter table log.%I enable always trigger refuse_delete', name);", "",
        "(even for its owner|guard themselves).* failed", "EventLogTests.GuardTests|EventLogTests.PartitionTests"),
    Mutant(
        "plans outlive new partitions", TAKING,
        "discard plans;", "",
        "a plan made while a partition was attached.* failed", "EventLogTests.PartitionPlanTests"),
    Mutant(
        "a redaction leaves the content", REDACT,
        "delete from vault.content c where c.stream = target.stream and c.position = p_position;", "",
        "a redaction leaves a tombstone.* failed", "EventLogTests.GuardTests"),
    Mutant(
        "the checkpoint moves further than the fold", TAKING,
        "using after, upto;", "using after, upto - 1;",
        "in batches of any size.* failed", "in batches of any size"),
    Mutant(
        "a look passes over models that have something to fold", MODELS,
        "and not c.events && types", "and c.events is not null",
        "something to fold is not passed over.* failed", "a model with nothing to fold is moved"),
    Mutant(
        "a follower does not stop at a hole", MODELS,
        "<> upto - after then", "> upto - after then",
        "a hole stops a follower.* failed", "EventLogTests.FollowerTests"),
    Mutant(
        "acknowledged though the Sync failed", EXPECTATION,
        "failure = failure ?? error", "failure = phase == .syncing ? failure : failure ?? error",
        "CommandTests failed", "PostgresTests.CommandTests"),
    Mutant(
        "a command gets the content of the one before it", STATEMENT,
        "value.append(content.value)",
        'value.append(content.field == "notes" ? value.last ?? content.value : content.value)',
        "rule 9: .* has other content"),
    Mutant(
        "a retry has new ids", STATEMENT,
        r"\(batch.map(\.id))", r"\(batch.map { _ in UUID.random() })",
        "finds the first outcome.* failed", "EventLogTests.AppendTests"),
    Mutant(
        "the head is announced before the commit", APPENDER,
        "let start = ContinuousClock.now", "let start = ContinuousClock.now; head.announce(head.position + 1)",
        "announced only after.* failed", "EventLogTests.HazardTests"),
    Mutant(
        "a connection is made to a standby that was promoted", GUARD,
        "} else if !isSame {", "} else if !isSame, epoch < 0 {",
        "no connection is made to a log that has moved.* failed", "no connection is made to a log that has moved"),
    Mutant(
        "a batch holds two commands of one stream", QUEUE,
        "!streams.contains(command.stream) && ", "",
        "AppendQueueTests failed", "EventLogTests.AppendQueueTests"),
    Mutant(
        "two accounts' keys make the same command", COMMAND,
        "hash.update(data: account.bytes)", "",
        "CommandIDTests failed", "EventLogTests.CommandIDTests"),
    Mutant(
        "a page with a hole is read", READER,
        "where event.position != position + Int64(index) + 1 {", "where event.position < position {",
        "a hole stops a follower.* failed", "EventLogTests.FollowerTests"),
]
