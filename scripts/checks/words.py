"""What may not be written, or only where `allowed.txt` says so with a reason."""

import re
from pathlib import Path

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
    allowed = _allowed(Path(__file__).with_name("allowed.txt").read_text(encoding="utf-8"))
    used = set()
    for source in sources:
        for finding, word in _file(source):
            entry = next((e for e in allowed if source.path.startswith(e[0]) and e[1] == word), None)
            if entry:
                used.add(entry)
            else:
                yield finding
    for path, word in sorted(set(allowed) - used):
        yield Finding("scripts/checks/allowed.txt", 0, f"no longer needed: {path}: {word}")


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


def _allowed(text):
    """Entries `path: word: reason`, where a path may be a folder; a reason there must be."""
    entries = []
    for line in text.split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        path, word, reason = (part.strip() for part in line.split(": ", 2))
        if not reason:
            raise SystemExit(f"scripts/checks/allowed.txt: no reason: {line}")
        entries.append((path, word))
    return entries
