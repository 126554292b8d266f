"""Every declaration that other targets see has a doc comment; swift-format asks that of `public` alone.

Members that a protocol asks for are described there: those of an extension that adds a conformance, and those that
the standard library's protocols name. Constants that stand together share the comment of the first.
"""

import re

from project import Finding
from swift_text import without_strings_and_comments

_DECLARATION = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:static|final|indirect|nonisolated|mutating|override)\s+)*"
    r"(?:package|public)\s+(?!import\b|extension\b)(?P<rest>.*)")
_CONFORMANCE = re.compile(r"^\s*(?:(?:package|public)\s+)?extension\s+[\w.<>, ]+:")
_INHERITED = re.compile(
    r"(?:static\s+)?(?:"
    r"(?:var|let)\s+(?:description|debugDescription|customMirror|rawValue|errorDescription|unownedExecutor|startIndex"
    r"|endIndex|id)\b"
    r"|func\s+(?:hash\(into|encode\(to|index\(after|index\(before|makeIterator\(|makeAsyncIterator\("
    r"|next\(|==|<|>|<=|>=)"
    r"|init\(from\s+\w+:\s*(?:any\s+)?Decoder"
    r"|init\((?:stringLiteral|integerLiteral|arrayLiteral|dictionaryLiteral|rawValue)\b"
    r"|typealias\s+(?:Element|Failure|Index|Body|RawValue)\b"
    r"|subscript\(position)")


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
        if not match or number in conformances or _is_inherited(match["rest"]) or _is_documented(lines, number):
            continue
        yield Finding(source.path, number + 1, "no doc comment: " + lines[number].strip())


def _is_inherited(rest):
    return _INHERITED.match(re.sub(r"^(?:(?:nonisolated|mutating|final|private\(set\))\s+)*", "", rest)) is not None


def _is_documented(lines, number):
    """Whether a doc comment stands above, with nothing but attributes and conditions between."""
    is_constant = "static let" in lines[number]
    for above in reversed(lines[:number]):
        text = above.strip()
        if is_constant and "static let" in text:
            continue
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
