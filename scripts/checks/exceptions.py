"""Lists of exceptions: lines `path: word: reason`, where a path may be a folder. An entry that nothing needs is reported."""

from pathlib import Path

from project import Finding


class Exceptions:
    def __init__(self, name, text=None):
        self.path = f"scripts/checks/{name}"
        self._entries = self._read(text or Path(__file__).with_name(name).read_text(encoding="utf-8"))
        self._used = set()

    def allow(self, path, word):
        """Whether an entry allows the word there; the first one that does counts as used."""
        entry = next((e for e in self._entries if path.startswith(e[0]) and e[1] == word), None)
        if entry:
            self._used.add(entry)
        return entry is not None

    def unused(self):
        for path, word in sorted(set(self._entries) - self._used):
            yield Finding(self.path, 0, f"no longer needed: {path}: {word}")

    def _read(self, text):
        entries = []
        for line in text.split("\n"):
            if not line.strip() or line.startswith("#"):
                continue
            path, word, reason = (part.strip() for part in (line.split(": ", 2) + ["", ""])[:3])
            if not reason:
                raise SystemExit(f"{self.path}: no reason: {line}")
            entries.append((path, word))
        return entries
