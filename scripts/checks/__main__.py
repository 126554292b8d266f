"""The project's own checks of its files: `python3 scripts/checks` runs all and lists what must change."""

import sys

import documentation
import fields
import imports
import links
import named_tests
import prose
import sizes
import sql
import words
from project import project_files

CHECKS = [sizes, documentation, words, prose, imports, fields, links, named_tests, sql]


def main():
    sources = project_files()
    findings = sorted({finding for check in CHECKS for finding in check.check(sources)})
    for finding in findings:
        print(finding)
    print(f"{len(sources)} files checked, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
