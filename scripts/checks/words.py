"""Code and notes that are not allowed, or only where `allowed.txt` gives a reason. For prose see prose.py."""

import re

from exceptions import Exceptions
from project import Finding
from swift_text import without_strings_and_comments

_IN_CODE = {
    "fatalError(": r"\bfatalError\(",
    "try!": r"\btry!",
    "as!": r"\bas!",
    "@unchecked Sendable": r"@unchecked\s+Sendable",
    "nonisolated(unsafe)": r"nonisolated\(unsafe\)",
    "Task {": r"(?<!\.)\bTask(?:\.detached)?\s*(?:\([^)]*\)\s*)?\{",
}
_ANYWHERE = {
    "TODO": r"\bTODO\b",
    "FIXME": r"\bFIXME\b",
    "a machine's path": r"(?<![\w.~$}-])/(?:work|home|Users|root)/\w",
}
# These two name the words that they look for.
_EXEMPT = ("scripts/checks/words.py", "scripts/checks/test_checks.py", "scripts/checks/allowed.txt")


def check(sources):
    allowed = Exceptions("allowed.txt")
    for source in sources:
        for finding, word in _file(source):
            if not allowed.allow(source.path, word):
                yield finding
    yield from allowed.unused()


def _file(source):
    if source.path in _EXEMPT:
        return
    if source.suffix == ".swift" and not source.is_test:
        yield from _matches(source, without_strings_and_comments(source.text), _IN_CODE)
    yield from _matches(source, source.text, _ANYWHERE)


def _matches(source, text, words):
    for number, line in enumerate(text.split("\n"), start=1):
        for word, pattern in words.items():
            if re.search(pattern, line):
                yield Finding(source.path, number, f"{word} is not allowed here"), word
