"""The arrows between targets: who may import whom."""

import re

from project import Finding

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
    "JSON": {"Bytes"},
    "Domain": {"Bytes", "CIDN2", "JSON"},
    "Postgres": {"Bytes", "CLibPQ"},
    "PrivateServer": {"Bytes"},
    "EventLog": {"Bytes", "Postgres"},
    "Vault": {"Bytes", "Domain", "Postgres"},
    "ReadModels": {"Domain", "EventLog", "JSON", "Postgres"},
    "Exchange": {"Bytes", "CArchive", "CZlib"},
    "PhotoStore": {"Bytes", "CVips"},
    "Service": {"Bytes", "Domain", "EventLog", "Exchange", "JSON", "PhotoStore", "Postgres", "ReadModels", "Vault"},
    "WebAPI": {"Bytes", "CZlib", "Domain", "JSON", "ReadModels", "Service"},
}
ALLOWED["skein"] = set(ALLOWED) - {"CLibPQ", "CArchive", "CIDN2", "CLibVips", "CVips", "CZlib"}
ALLOWED["TestRandom"] = set()
ALLOWED["TestSupport"] = {"CVips", "EventLog", "JSON", "Postgres", "PrivateServer"}

_OURS = set(ALLOWED)
_IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:package|internal|private|fileprivate|public)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)")


def check(sources):
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
