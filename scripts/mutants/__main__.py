"""Breaks the code on purpose, one line at a time, and expects a test or the torture to notice.

    python3 scripts/mutants            all of them; those in Swift are built apart, in .build/mutants
    python3 scripts/mutants --sql      only those in SQL, which need no build: on a copy of the migrations
    python3 scripts/mutants --check    only whether every mutation still fits the sources

Words after the options choose the mutants whose description contains one of them. Prints a table; the exit status is 1
if a mutant survives or a mutation does not fit.
"""

import argparse
import sys
import time

from mutants import MUTANTS
from runner import Outcome, build, run
from trees import MisfitError, SQLTree, SwiftTree


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutants", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--sql", action="store_true", help="only those in SQL")
    parser.add_argument("--check", action="store_true", help="run nothing")
    parser.add_argument("--limit", type=int, default=60, help="seconds until a mutant counts as survived")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    chosen = [m for m in MUTANTS if m.is_sql or not options.sql]
    chosen = [m for m in chosen if not options.words or any(word in m.description for word in options.words)]
    misfits = [text for text in (mutant.misfit() for mutant in chosen) if text]
    for text in misfits:
        print(text)
    if misfits or options.check:
        return 1 if misfits else 0
    return 0 if all([judge(mutant, options.limit) for mutant in chosen]) else 1


def judge(mutant, limit):
    """Whether the mutant is caught; prints its line of the table."""
    try:
        with (SQLTree if mutant.is_sql else SwiftTree)(mutant) as tree:
            failure = None if mutant.is_sql else build(tree)
            start = time.monotonic()
            outcome = Outcome(False, failure) if failure else run(mutant, tree, limit)
            seconds = time.monotonic() - start
    except MisfitError as error:
        outcome, seconds = Outcome(False, str(error)), 0
    verdict = "caught" if outcome.caught else "SURVIVED"
    print(f"{verdict:8}  {mutant.description:58}  {mutant.judge:44}  {seconds:4.0f} s", flush=True)
    if not outcome.caught:
        print(outcome.text)
    return outcome.caught


if __name__ == "__main__":
    sys.exit(main())
