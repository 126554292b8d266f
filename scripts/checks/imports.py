"""The arrows between targets, and between the folders of a target: who may import or name whom."""

import re
from collections import defaultdict

from project import Finding
from swift_text import without_strings_and_comments

# Imports of ours that a target may have. `skein` may import every Swift target, tests everything.
ALLOWED = {
    "CLibPQ": set(),
    "CArchive": set(),
    "CIDN2": set(),
    "CLibVips": set(),
    "CVips": {"CLibVips"},
    "CMalloc": set(),
    "CZlib": set(),
    "Bytes": set(),
    "FileLocks": set(),
    "JSON": {"Bytes"},
    "Domain": {"Bytes", "CIDN2", "JSON"},
    "Postgres": {"Bytes", "CLibPQ"},
    "PrivateServer": {"Bytes", "FileLocks"},
    "EventLog": {"Bytes", "Postgres"},
    "Vault": {"Bytes", "Domain", "Postgres"},
    "ReadModels": {"Domain", "EventLog", "JSON", "Postgres"},
    "Exchange": {"Bytes", "CArchive", "CZlib", "Domain"},
    "PhotoStore": {"Bytes", "CVips"},
    "Service": {
        "Bytes", "Domain", "EventLog", "Exchange", "FileLocks", "JSON", "PhotoStore", "Postgres", "ReadModels", "Vault",
    },
    "Imports": {"Bytes", "Domain", "EventLog", "Exchange", "JSON", "Postgres", "Service", "Vault"},
    "Forms": {"Bytes", "Domain", "JSON", "ReadModels", "Service"},
    "Web": {"Bytes", "CZlib", "Domain", "JSON", "ReadModels", "Service"},
    "WebAPI": {"Bytes", "Domain", "Forms", "JSON", "ReadModels", "Service", "Web"},
}
ALLOWED["skein"] = set(ALLOWED) - {"CLibPQ", "CArchive", "CIDN2", "CLibVips", "CVips", "CZlib"}
ALLOWED["TestRandom"] = set()
ALLOWED["TestSupport"] = {"CVips", "EventLog", "JSON", "Postgres", "PrivateServer"}

# The folders of a target, from the lowest: a file names only types of its own folder and of lower ones. Those in one
# entry belong together. Files beside the folders put these together: they are above all of them.
FOLDERS = {
    "Domain": ["Values Events", "Places", "Taxa", "Moderation", "Accounts", "Datasets", "Sightings", "Photos", "Targets", "Ranges", "Exports"],
    "Service": [
        "Turns", "Quotas", "Seals", "Commands", "Log", "Reads", "Authentication", "Catalogue", "TableFiles", "Places",
        "Ground", "Mail", "Accounts", "Records", "Ranges", "Photos", "Exports", "Research",
        "Health", "Leaving", "Reviews", "Sightings", "Moderation",
        "Targets", "Notifications", "OwnData",
    ],
    "WebAPI": [
        "Operations", "Batches", "Authentication", "Accounts", "Catalogue", "Places", "Photos", "Records", "Ranges", "Exports", "Research",
        "Leaving",
        "Sightings", "Moderation", "Targets", "Notifications", "OwnData",
    ],
}

_OURS = set(ALLOWED)
_IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:package|internal|private|fileprivate|public)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)")
_TYPE = re.compile(
    r"^(?:@\w+(?:\([^)\n]*\))?\s+)*(?:(?:package|public|internal|final|indirect|nonisolated)\s+)*"
    r"(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)", re.MULTILINE)
_NAME = re.compile(r"(?<![.\w])[A-Z]\w*")


def check(sources):
    yield from _imports(sources)
    for target, order in FOLDERS.items():
        levels = {folder: level for level, folders in enumerate(order) for folder in folders.split()}
        yield from _names([source for source in sources if source.target == target and source.suffix == ".swift"], levels)


def _names(sources, levels):
    """Names of types that are declared in higher folders."""
    code = {source: without_strings_and_comments(source.text) for source in sources}
    folders = {source: source.path.split("/")[2] if source.path.count("/") > 2 else None for source in sources}
    declared = defaultdict(set)
    for source in sources:
        if folders[source] is not None and folders[source] not in levels:
            yield Finding(source.path, 0, f"the folder {folders[source]} is missing in scripts/checks/imports.py")
        for match in _TYPE.finditer(code[source]):
            declared[match[1]].add(folders[source])
    for source in sources:
        level = levels.get(folders[source], len(levels))
        for number, line in enumerate(code[source].split("\n"), start=1):
            for name in _NAME.findall(line):
                higher = [other for other in declared.get(name, []) if levels.get(other, len(levels)) > level]
                if higher:
                    message = f"{folders[source]} may not use {name} of {higher[0] or 'the target'}, which is above it"
                    yield Finding(source.path, number, message)


def _imports(sources):
    for source in sources:
        if source.suffix != ".swift" or source.target is None:
            continue
        if source.target not in ALLOWED:
            yield Finding(source.path, 0, f"the target {source.target} is missing in scripts/checks/imports.py")
            continue
        for number, line in enumerate(source.lines, start=1):
            match = _IMPORT.match(line)
            if match:
                yield from _import(source, number, match[1])


def _import(source, number, module):
    if module in _OURS and module not in ALLOWED[source.target]:
        yield Finding(source.path, number, f"{source.target} may not import {module}")
    if source.target == "Domain" and module == "Foundation" and "canImport(FoundationEssentials)" not in source.text:
        yield Finding(source.path, number, "Domain may import FoundationEssentials, but not all of Foundation")
