"""Links and paths in Markdown lead somewhere."""

import re
from pathlib import PurePosixPath
from urllib.parse import unquote

from project import Finding

_LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
_CODE = re.compile(r"`([^`\n]+)`")
_FENCE = re.compile(r"^\s*(```|~~~)")
_FOLDERS = ("Sources/", "Tests/", "Benchmarks/", "migrations/", "share/", "scripts/", "docs/", "docker/", "openapi/", ".ci/")
_FILE = re.compile(r"[A-Za-z][\w+.-]*\.(?:swift|sql|py)")


def check(sources):
    files = {source.path for source in sources}
    names = {PurePosixPath(path).name for path in files}
    folders = {str(parent) for path in files for parent in PurePosixPath(path).parents}
    texts = {source.path: source for source in sources}
    for source in sources:
        if source.suffix == ".md":
            yield from _file(source, files | folders, names, texts)


def _file(source, paths, names, texts):
    for number, line in prose(source):
        for target in _LINK.findall(line):
            if not re.match(r"[a-z][a-z0-9+.-]*:", target):
                yield from _link(source, number, unquote(target), paths, texts)
        for code in _CODE.findall(line):
            if code.startswith(_FOLDERS) and not re.search(r"[*<>{}…\s]", code) and _clean(code) not in paths:
                yield Finding(source.path, number, f"there is no {code}")
            elif _FILE.fullmatch(code) and code not in names:
                yield Finding(source.path, number, f"there is no file {code}")


def prose(source):
    """The lines outside of fenced blocks, with their numbers."""
    fenced = False
    for number, line in enumerate(source.lines, start=1):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield number, line


def _link(source, number, target, paths, texts):
    path, _, anchor = target.partition("#")
    resolved = _resolve(source.path, path) if path else source.path
    if resolved not in paths:
        yield Finding(source.path, number, f"there is no {target}")
    elif anchor and resolved.endswith(".md") and anchor not in _anchors(texts[resolved]):
        yield Finding(source.path, number, f"{resolved} has no heading for #{anchor}")


def _resolve(origin, target):
    """A link's target from the root: links are relative to the file they stand in."""
    parts = [] if target.startswith("/") else list(PurePosixPath(origin).parent.parts)
    for part in PurePosixPath(target.lstrip("/")).parts:
        if part == "..":
            parts = parts[:-1] if parts else ["..outside"]
        else:
            parts.append(part)
    return "/".join(parts) or "."


def _clean(code):
    return code.split(":")[0].split("#")[0].rstrip("/")


def _anchors(source):
    """The anchors that GitHub makes of headings."""
    anchors = set()
    for _, line in prose(source):
        if line.startswith("#"):
            heading = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip()).lower()
            anchors.add(re.sub(r"[^\w\- ]", "", heading).replace(" ", "-"))
    return anchors
