"""Plain English: words and turns of phrase that make a reader translate, in Markdown, openapi.yaml, and the comments and
strings of Swift and SQL. Exceptions, each with its reason, are in `allowed_words.txt`.
"""

import re

from exceptions import Exceptions
from project import Finding
from swift_text import without_strings_and_comments

# A word (as exceptions name it), what it looks like, and what to say; perhaps the only kind of file that it is for.
# A space stands for any white space.
_WORDS = [
    ("anew", r"\banew\b", "again"),
    ("for good", r"\bfor good\b(?! measure)", "permanently"),
    ("dense", r"\bdense(?:ly)?\b", "gap-free"),
    ("how many-eth", r"\bhow many-?eth\b", "ordinal"),
    ("somebody", r"(?<!')\b(?:some|any|no)body(?:'s)?\b", "who: the client, the owner, everyone, no account"),
    ("asker", r"\basker\b", "the caller"),
    ("tells", r"\btells\b", "returns, reports, reveals, distinguishes"),
    ("stands", r"\bstands?\b(?! for\b)(?!-)", "is"),
    ("turned away", r"\bturn(?:s|ed|ing)? (?:\w+ )?away\b", "reject"),
    ("refuse", r"(?<!\.)\brefus(?:e|es|ed|ing|al|als)\b", "reject"),
    ("promise", r"\bpromis(?:e|es|ed|ing)\b", "guarantee"),
    ("patience", r"\bpatience\b", "timeout, deadline"),
    ("second sending", r"\bsecond sending\b", "retry"),
    ("at most once", r"\bat most once\b", "idempotent"),
    ("let go of", r"\blets? go of\b", "release"),
]
# The same for sentences that do not begin with their subject.
_BEGINNINGS = [
    ("whose", r"Whose\b"),
    ("who", r"Who(?:ever)?\b"),
    ("what", r"What an?\b"),
    ("what", r"What (?:the|it|they|is|was|were|has|had|may|must|can|cannot|no)\b", ".md"),
    ("of several", r"Of (?:several|two|many)\b"),
]
# Doc comments that say what the name beside them says.
_FORMULAS = re.compile(
    r"(?:(?:Writes|Reads) (?:the members|the binary form|it to a payload|it from a payload|it as a string|it)"
    r"|Appends the binary form|Bound with this type(?: as an array)?|The (?:array )?types it is read from"
    r"|Fills in (?:everything|the rest)|Puts [\w ,']{1,40} together|Takes (?:everything|the parts)"
    r"|Wraps a (?:UUID|text that was checked)|The event's name in the log|The (?:id|code|text|number|value) itself"
    r"|The (?:field|value|code|number|account|dataset|taxon|id|name)|Its (?:id|name|code|value)"
    r"|How many|When|Why|Where|Which|Who|What)\.")

_MARKER = re.compile(r"^[ \t]*(?:///?|--|[*-] |\d+\. )[ \t]*", re.MULTILINE)


def check(sources):
    allowed = Exceptions("allowed_words.txt")
    for source in sources:
        for finding, word in _file(source):
            if not allowed.allow(source.path, word):
                yield finding
    yield from allowed.unused()


def _file(source):
    text = _prose(source)
    if text is None:
        return
    for word, pattern, advice, only in _PATTERNS:
        for match in pattern.finditer(text) if only in (None, source.suffix) else ():
            start = match.end() - len(match.group().lstrip(".!?: \n"))
            said = " ".join(text[start:match.end()].split())
            yield Finding(source.path, text.count("\n", 0, start) + 1, f'"{said}": {advice}'), word
    if source.suffix == ".swift":
        for number, line in enumerate(source.lines, start=1):
            comment = line.strip()
            if comment.startswith("/// ") and _FORMULAS.fullmatch(comment[4:]) and _is_alone(source.lines, number - 1):
                yield Finding(source.path, number, f'"{comment[4:]}" repeats the name: leave it out'), "formula"


def _compile(pattern, flags=0):
    return re.compile(pattern.replace(" ", r"\s+"), flags | re.MULTILINE)


_PATTERNS = [
    (word, _compile(pattern, re.IGNORECASE), "say " + advice, None) for word, pattern, advice in _WORDS
] + [
    (word, _compile("(?:^\\s*|[.!?:] )[\"']?" + pattern), "begin with the subject", only[0] if only else None)
    for word, pattern, *only in _BEGINNINGS
]


def _is_alone(lines, index):
    """Whether a doc comment is this one line."""
    return not any(
        0 <= other < len(lines) and lines[other].strip().startswith("///") for other in (index - 1, index + 1))


def _prose(source):
    """What people read of a file, at its place: everything else is blank. None for files without prose of ours."""
    if source.suffix == ".md":
        text = re.sub(r"^[ \t]*(```|~~~).*?^[ \t]*\1", _blank, source.text, flags=re.MULTILINE | re.DOTALL)
        text = re.sub(r"`[^`\n]*`|\]\([^)\n]*\)|<!--.*?-->", _blank, text, flags=re.DOTALL)
    elif source.suffix == ".swift":
        code = without_strings_and_comments(source.text)
        text = "".join(
            kept if kept.isspace() or blanked.isspace() else " " for kept, blanked in zip(source.text, code))
        # A string of one word is a name, not a message.
        text = re.sub(r"`[^`\n]*`|\"[^\"\s]*\"", _blank, text)
    elif source.suffix == ".sql":
        text = re.sub(r"(--[^\n]*|\braise exception '(?:[^']|'')*')|[^\s]", lambda m: m[1] or " ", source.text)
    elif source.suffix in (".yaml", ".yml") and source.path.startswith("openapi"):
        text = re.sub(r"`[^`\n]*`|^\s*pattern:.*$", _blank, source.text, flags=re.MULTILINE)
    else:
        return None
    # Without the marks of comments and lists, a sentence begins at the beginning of its line.
    return _MARKER.sub("", text)


def _blank(match):
    return re.sub(r"[^\n]", " ", match.group())
