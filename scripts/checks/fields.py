"""A field of a sighting stands in few places: counted by one flag, in the lines of Sources that are no comments.

Ten of the files, with eighteen of the lines, filter by it. A count above the limits means that a layer describes the
details again; see "A field of a sighting" in CONTRIBUTING.md. When the count falls, lower the limits.
"""

import re

from project import Finding

FIELD = "captive"
FILE_LIMIT = 23
LINE_LIMIT = 42


def check(sources):
    lines = [
        (source.path, number)
        for source in sources
        if source.suffix == ".swift" and source.path.startswith("Sources/")
        for number, line in enumerate(source.lines, start=1)
        if re.search(rf"\b{FIELD}\b", line) and not line.lstrip().startswith("//")
    ]
    files = sorted({path for path, _ in lines})
    if len(files) > FILE_LIMIT or len(lines) > LINE_LIMIT:
        yield Finding(
            files[-1], 0,
            f"`{FIELD}` is on {len(lines)} lines of {len(files)} files; the limits are {LINE_LIMIT} and {FILE_LIMIT}: "
            + ", ".join(files))
