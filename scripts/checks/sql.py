"""SQL files say what they are for; migrations are numbered without gaps."""

import re

from project import Finding

_MIGRATION = re.compile(r"migrations/(\d{4})_[a-z]+(?:_[a-z0-9]+)+\.sql")


def check(sources):
    migrations = []
    for source in sources:
        if source.suffix != ".sql":
            continue
        if not re.match(r"--\s*\S", source.lines[0]):
            yield Finding(source.path, 1, "no header comment: what it is for, parameters, result, why this shape")
        if source.path.startswith("migrations/"):
            match = _MIGRATION.fullmatch(source.path)
            if match:
                migrations.append((int(match[1]), source.path))
            else:
                yield Finding(source.path, 0, "a migration is called NNNN_verb_object.sql")
    for expected, (number, path) in enumerate(sorted(migrations), start=1):
        if number != expected:
            yield Finding(path, 0, f"migrations are numbered without gaps: {expected:04} was expected")
            return
