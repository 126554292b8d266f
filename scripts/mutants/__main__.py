"""Breaks the code on purpose, one line at a time, and expects a test or the torture to notice.

    python3 scripts/mutants            all of them; those in Swift are built apart, in .build/mutants
    python3 scripts/mutants --sql      only those in SQL, which need no build: on a copy of the migrations
    python3 scripts/mutants --check    only whether every mutation still fits the sources

Words after the options choose the mutants whose description contains one of them. Prints a table. First every test that
has to notice something must pass without a mutation: one that always fails would catch everything. The exit status is 1
if one does not, if a mutant survives, or if a mutation does not fit.
"""

import argparse
import re
import signal
import sys
import time

from mutants import MUTANTS
from runner import build, run
from trees import MisfitError, SQLTree, SwiftTree


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutants", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--sql", action="store_true", help="only those in SQL")
    parser.add_argument("--check", action="store_true", help="run nothing")
    parser.add_argument("--limit", type=int, default=300, help="seconds until a mutant counts as survived")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    chosen = [m for m in MUTANTS if m.is_sql or not options.sql]
    chosen = [m for m in chosen if not options.words or any(word in m.description for word in options.words)]
    misfits = [text for text in (mutant.misfit() for mutant in chosen) if text]
    for text in misfits:
        print(text)
    if misfits or options.check:
        return 1 if misfits else 0
    if not all([passes_unchanged(*judge, options.limit) for judge in sorted({(m.is_sql, m.test or "") for m in chosen})]):
        return 1
    return 0 if all([is_caught(mutant, options.limit) for mutant in chosen]) else 1


def passes_unchanged(is_sql, test, limit):
    with (SQLTree if is_sql else SwiftTree)(None) as tree:
        failure = None if is_sql else build(tree)
        start = time.monotonic()
        status, text = (1, failure) if failure else run(test, tree, limit)
    passes = status == 0 and "Test run with 0 tests" not in text
    reason = None if passes else text[-2000:]
    show("passes" if passes else "FAILS", "unchanged", test or "torture", time.monotonic() - start, reason)
    return passes


def is_caught(mutant, limit):
    """Prints the mutant's line of the table."""
    start = time.monotonic()
    try:
        with (SQLTree if mutant.is_sql else SwiftTree)(mutant) as tree:
            reason = None if mutant.is_sql else build(tree)
            start = time.monotonic()
            reason = reason or why_not_caught(mutant, *run(mutant.test, tree, limit))
    except MisfitError as error:
        reason = str(error)
    judge = mutant.test or f"torture: {mutant.shows}"
    show("SURVIVED" if reason else "caught", mutant.description, judge, time.monotonic() - start, reason)
    return reason is None


def why_not_caught(mutant, status, text):
    """A mutant is caught if the run fails in time, and says what the mutant expects."""
    if status == 0:
        return "nothing failed"
    if status is None:
        return "no verdict in time; the output ends with:\n" + text[-1000:]
    return None if re.search(mutant.shows, text) else f"it failed, but not with /{mutant.shows}/:\n{text[-2000:]}"


def show(verdict, subject, judge, seconds, text):
    print(f"{verdict:8}  {subject:54}  {judge:54}  {seconds:4.0f} s", flush=True)
    if text:
        print(text, flush=True)


if __name__ == "__main__":
    # So that what was started is ended too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
