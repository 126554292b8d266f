"""The project's files, and how a check reports what it found."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, order=True)
class Finding:
    """Something that must change, at a line of a file (line 0: the file as a whole)."""

    path: str
    line: int
    message: str

    def __str__(self):
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.message}"


@dataclass(frozen=True)
class Source:
    """One file: its path from the project's root, and its text."""

    path: str
    text: str

    @property
    def lines(self):
        return self.text.split("\n")

    @property
    def suffix(self):
        return Path(self.path).suffix

    @property
    def is_test(self):
        return self.path.startswith("Tests/")

    @property
    def target(self):
        """The target of a file below Sources, such as `Postgres`; None elsewhere."""
        parts = self.path.split("/")
        return parts[1] if parts[0] == "Sources" and len(parts) > 2 else None


def project_files():
    """Every text file that git tracks or would track."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout
    sources = []
    for path in sorted(set(filter(None, listing.split("\0")))):
        file = ROOT / path
        if not file.is_file():
            continue  # deleted, but not yet so in git
        try:
            sources.append(Source(path, file.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue  # not text
    return sources
