"""Types, protocols and throwing functions that other targets see have a doc comment: what they are, what they throw.

Other declarations need one only where it says more than the name. Members that a protocol asks for are described
there: those of an extension that adds a conformance, and those that the standard library's protocols name.
"""

import re

from project import Finding
from swift_text import without_strings_and_comments

_DECLARATION = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:static|final|indirect|nonisolated|mutating|override|convenience|distributed)\s+)*"
    r"(?:package|public)\s+(?!import\b|extension\b)(?P<rest>.*)")
_MODIFIERS = re.compile(r"^(?:(?:static|final|indirect|nonisolated|mutating|override|convenience|class(?=\s+func))\s+)*")
_TYPE = re.compile(r"(?:struct|class|actor|enum|protocol)\s+\w")
_FUNCTION = re.compile(r"(?:func\s+\S|init\s*[?!]?\s*[(<]|subscript\s*[(<])")
_THROWS = re.compile(r"\bthrows\b")
_CONFORMANCE = re.compile(r"^\s*(?:(?:package|public)\s+)?extension\s+[\w.<>, ]+:")
_INHERITED = re.compile(
    r"func\s+(?:hash\(into|encode\(to|index\(after|index\(before|makeIterator\(|makeAsyncIterator\(|next\()"
    r"|init\(from\s+\w+:\s*(?:any\s+)?Decoder")


def check(sources):
    for source in sources:
        if source.suffix == ".swift" and source.path.startswith("Sources/"):
            yield from _file(source)


def _file(source):
    lines = source.lines
    code = without_strings_and_comments(source.text).split("\n")
    conformances = _conformances(code)
    for number, line in enumerate(code):
        match = _DECLARATION.match(line)
        if not match or number in conformances:
            continue
        rest = _MODIFIERS.sub("", match["rest"])
        needs = _TYPE.match(rest) or (
            _FUNCTION.match(rest) and not _INHERITED.match(rest) and _throws([rest] + code[number + 1:]))
        if needs and not _is_documented(lines, number):
            yield Finding(source.path, number + 1, "no doc comment: " + lines[number].strip())


def _throws(code):
    """Whether the declaration that these lines begin with throws itself; a closure it takes may throw without it."""
    depth, outside = 0, ""
    for line, following in zip(code, code[1:] + [""]):
        for character in line:
            if character == "{" and depth == 0:
                return _THROWS.search(outside) is not None
            depth += (character in "([") - (character in ")]")
            if depth == 0:
                outside += character
        outside += " "
        if depth == 0 and not following.strip().startswith(("{", "->", "where", "async", "throws")):
            break
    return _THROWS.search(outside) is not None


def _is_documented(lines, number):
    """Whether a doc comment stands above, with nothing but attributes and conditions between."""
    for above in reversed(lines[:number]):
        text = above.strip()
        if text.startswith("///") or text.endswith("*/"):
            return True
        if not text.startswith(("@", "#if", "#else", "#elseif")):
            return False
    return False


def _conformances(code):
    """The line numbers inside extensions that add a conformance."""
    inside, depth, start = set(), 0, None
    for number, line in enumerate(code):
        if start is None and _CONFORMANCE.match(line):
            start, depth = number, 0
        if start is not None:
            inside.add(number)
            depth += line.count("{") - line.count("}")
            if depth <= 0 and "{" in "".join(code[start:number + 1]):
                start = None
    return inside
