"""Runs the steps of `make test` or of continuous integration, two side by side, and prints the time of each.

    python3 scripts/steps test
    python3 scripts/steps ci

A step begins when those it needs have passed. Its output is shown when it ends, that of the tests as it comes. The exit
status is 1 if a step failed; the steps that need it are left out, the others run. Logs are in .build/steps.
"""

import signal
import sys

from plans import PLANS
from runner import Runner


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in PLANS:
        sys.exit(__doc__)
    runner = Runner(PLANS[sys.argv[1]])
    # So that running steps are ended, too.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda caught, _: sys.exit(128 + caught))
    return runner.run()


if __name__ == "__main__":
    sys.exit(main())
