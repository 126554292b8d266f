"""Files and functions, in Swift and in SQL, stay small enough to read; lines fit into 120 columns."""

import re

from project import Finding
from swift_text import without_strings_and_comments

FILE_LIMIT = 400
TEST_FILE_LIMIT = 600
FUNCTION_LIMIT = 60
SQL_FUNCTION_LIMIT = 80
COLUMNS = 120

_SQL_FUNCTION = re.compile(r"^create (?:or replace )?(?:function|procedure) ([\w.]+)", re.IGNORECASE | re.MULTILINE)
_DOLLARS = re.compile(r"\$\w*\$")
_FUNCTION = re.compile(r"\b(?:func\s+\S|init\s*[?!]?\s*[(<]|deinit\b|subscript\s*[(<])")


def check(sources):
    for source in sources:
        if source.suffix == ".swift" and not source.lines[0].startswith("// Generated"):
            yield from _file(source)
            yield from _functions(source)
        if source.suffix == ".sql":
            yield from _sql_functions(source)
        if source.suffix in (".swift", ".sql"):
            yield from _columns(source)


def _file(source):
    limit = TEST_FILE_LIMIT if source.is_test else FILE_LIMIT
    count = source.text.count("\n")
    if count > limit:
        yield Finding(source.path, 0, f"{count} lines; the limit is {limit}")


def _functions(source):
    code = without_strings_and_comments(source.text)
    for match in _FUNCTION.finditer(code):
        body = _body(code, match.end() - 1)
        if body is None:
            continue
        first, last = (code.count("\n", 0, offset) + 1 for offset in (match.start(), body[1]))
        if last - first + 1 > FUNCTION_LIMIT:
            yield Finding(
                source.path, first, f"a function of {last - first + 1} lines; the limit is {FUNCTION_LIMIT}")


def _body(code, start):
    """Where the braces open and close that follow a declaration's head; None for one without a body."""
    depth = 0
    for offset in range(start, len(code)):
        character = code[offset]
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "{" and depth <= 0:
            return offset, _closing(code, offset)
        elif depth <= 0 and (character == "}" or (character == "\n" and _ends_declaration(code, offset))):
            return None
    return None


def _ends_declaration(code, offset):
    """Whether a head that has no brace yet ends with this line: the next line begins something else."""
    following = code[offset + 1:].lstrip()
    return not following.startswith(("{", "->", "where", "async", "throws", ")", ",", ":"))


def _closing(code, opening):
    depth = 0
    for offset in range(opening, len(code)):
        depth += (code[offset] == "{") - (code[offset] == "}")
        if depth == 0:
            return offset
    return len(code) - 1


def _sql_functions(source):
    for match in _SQL_FUNCTION.finditer(source.text):
        first = source.text.count("\n", 0, match.start()) + 1
        last = source.text.count("\n", 0, _sql_end(source.text, match.end())) + 1
        if last - first + 1 > SQL_FUNCTION_LIMIT:
            yield Finding(
                source.path, first,
                f"{match[1]} has {last - first + 1} lines; the limit of an SQL function is {SQL_FUNCTION_LIMIT}")


def _sql_end(text, start):
    """Where the statement ends: at the first semicolon that is not inside a dollar-quoted body."""
    while True:
        semicolon = text.find(";", start)
        opening = _DOLLARS.search(text, start)
        if semicolon < 0:
            return len(text) - 1
        if opening is None or semicolon < opening.start():
            return semicolon
        closing = text.find(opening[0], opening.end())
        if closing < 0:
            return len(text) - 1
        start = closing + len(opening[0])


def _columns(source):
    for number, line in enumerate(source.lines, start=1):
        if len(line) > COLUMNS:
            yield Finding(source.path, number, f"{len(line)} columns; the limit is {COLUMNS}")
