"""Copies of the project with one line changed, or none."""

import os
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
APART = ROOT / ".build" / "mutants"


class MisfitError(Exception):
    """The text that a mutation replaces is not in its file exactly once."""


class SQLTree:
    """The migrations copied and changed; everything else is the project's own, already built."""

    def __init__(self, mutant):
        self.root = ROOT
        self.scratch = ROOT / ".build"
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="skein-mutant-"))
        # PostgreSQL and the services of a test may run as other users.
        self._folder.chmod(0o755)
        self.environment = {"SKEIN_SHARE_DIR": str(self._folder / "share")}
        shutil.copytree(ROOT / "migrations", self._folder / "migrations")
        (self._folder / "share").mkdir()
        for entry in (ROOT / "share").iterdir():
            (self._folder / "share" / entry.name).symlink_to(entry)
        for name in ("openapi.yaml", "docs"):
            (self._folder / name).symlink_to(ROOT / name)
        _change(self._folder, mutant)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self._folder)


class SwiftTree:
    """The whole project copied and changed, with a build folder of its own that the next mutant uses again."""

    def __init__(self, mutant):
        self.root = APART / "tree"
        self.scratch = APART / "build"
        self.environment = {}
        self._mutant = mutant
        _copy_sources(self.root)
        _copy_checkouts(self.scratch)
        _change(self.root, mutant)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._mutant:
            shutil.copyfile(ROOT / self._mutant.file, self.root / self._mutant.file)


def _change(folder, mutant):
    if mutant is None:
        return
    path = folder / mutant.file
    text = path.read_text(encoding="utf-8")
    if text.count(mutant.old) != 1:
        raise MisfitError(mutant.misfit(folder))
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")


def _copy_sources(target):
    """Brings a copy of all files up to date; one that has not changed keeps its time, so that it is not built again."""
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\0")
    wanted = {name for name in [*names, "Package.resolved"] if name and (ROOT / name).is_file()}
    for name in wanted:
        source, copy = ROOT / name, target / name
        if copy.is_file() and copy.read_bytes() == source.read_bytes():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    for folder, folders, files in os.walk(target):
        folders[:] = [name for name in folders if name != ".build"]
        for name in files:
            path = pathlib.Path(folder, name)
            if str(path.relative_to(target)) not in wanted:
                path.unlink()


def _copy_checkouts(scratch):
    """The packages that the project's build has already fetched."""
    for name in ("checkouts", "repositories"):
        if (ROOT / ".build" / name).is_dir() and not (scratch / name).exists():
            shutil.copytree(ROOT / ".build" / name, scratch / name, symlinks=True)
    state = ROOT / ".build" / "workspace-state.json"
    if state.is_file() and not (scratch / state.name).exists():
        shutil.copy(state, scratch / state.name)
