"""Tests that Markdown names exist: `SomeTests`, or `SomeTests/what it shows`."""

import re

from links import prose
from project import Finding

_NAMED = re.compile(r"`(\w+Tests)(?:/([^`]+))?`")
_TYPE = re.compile(r"^\s*(?:@.*\s)?(?:struct|class|enum|actor|extension)\s+(\w+)", re.MULTILINE)
_FUNCTION = re.compile(r"\bfunc (?:`([^`]+)`|(\w+))")


def check(sources):
    suites, tests = set(), set()
    for source in sources:
        if source.is_test and source.suffix == ".swift":
            types = set(_TYPE.findall(source.text))
            suites |= types | {source.path.split("/")[1]}
            names = {quoted or plain for quoted, plain in _FUNCTION.findall(source.text)}
            tests |= {(suite, name) for suite in types for name in names}
    for source in sources:
        if source.suffix == ".md":
            yield from _file(source, suites, tests)


def _file(source, suites, tests):
    for number, line in prose(source):
        for suite, test in _NAMED.findall(line):
            if suite not in suites or test and (suite, test) not in tests:
                yield Finding(source.path, number, f"there is no test {suite}" + (f"/{test}" if test else ""))
