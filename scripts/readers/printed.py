"""The code that documents print."""

import re

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(path, after=None):
    """The fenced blocks of a document, as pairs of language and code; with `after`, those below that heading."""
    text = path.read_text()
    if after is not None:
        before, heading, text = text.partition(f"\n{after}\n")
        assert heading, f"{path} has no heading {after}"
    return _BLOCK.findall(text)
