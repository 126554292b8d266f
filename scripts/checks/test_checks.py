"""Each check finds what it is there for, and nothing in what is right: `python3 -m unittest discover scripts/checks`."""

import unittest

import documentation
import fields
import imports
import links
import named_tests
import prose
import sizes
import sql
import words
from exceptions import Exceptions
from project import Source
from swift_text import without_strings_and_comments


def messages(check, *files):
    """What a check says about files, each given as (path, text)."""
    return [str(finding) for finding in check.check([Source(path, text) for path, text in files])]


class SwiftTextTests(unittest.TestCase):
    def test_strings_and_comments_are_blanked(self):
        cases = {
            'let a = "{" // {': "let a =",
            'let a = #"\\("{"#': "let a =",
            "/* { /* { */ { */ x": "x",
            'f("\\(g("{") { 1 })")': "g(   ) { 1 }",
            '"""\n{ "\n"""\nx': "x",
            'let r = /"{2}/\nlet b = 1': "let b = 1",
        }
        for text, expected in cases.items():
            blanked = without_strings_and_comments(text)
            self.assertIn(expected, blanked.strip(), text)
            self.assertEqual(blanked.count("\n"), text.count("\n"), text)
        self.assertNotIn("{", without_strings_and_comments('let a = "{" // {'))


class SizeTests(unittest.TestCase):
    def test_files(self):
        self.assertEqual(messages(sizes, ("Sources/A/a.swift", "\n" * 400)), [])
        self.assertEqual(len(messages(sizes, ("Sources/A/a.swift", "\n" * 401))), 1)
        self.assertEqual(messages(sizes, ("Tests/ATests/a.swift", "\n" * 600)), [])
        self.assertEqual(len(messages(sizes, ("Tests/ATests/a.swift", "\n" * 601))), 1)

    def test_functions(self):
        heads = (
            "func f() {", "func f(\n    a: Int\n) async throws\n{", "init?() {", "deinit {", "func f() -> A\nwhere B: C {",
            "init(\n    a: @escaping () -> Int = { 1 },\n    b: Int\n) {", "subscript(a: A = { 1 }) -> B {")
        for head in heads:
            lines = 60 - head.count("\n") - 2
            self.assertEqual(messages(sizes, ("Sources/A/a.swift", head + "\n" + "x\n" * lines + "}\n")), [], head)
            self.assertEqual(len(messages(sizes, ("Sources/A/a.swift", head + "\n" + "x\n" * (lines + 1) + "}\n"))), 1, head)

    def test_a_requirement_without_a_body_has_no_length(self):
        text = "protocol P {\n    func f()\n    func g()\n" + "    var x: Int { get }\n" * 70 + "}\n"
        self.assertEqual(messages(sizes, ("Sources/A/a.swift", text)), [])

    def test_sql_functions(self):
        for head, foot in (
            ("create function f() returns int language sql as $$", "$$;"),
            ("CREATE OR REPLACE FUNCTION a.f(b int)\nreturns void language plpgsql as $body$", "end $body$;"),
            ("create function f() returns int language sql\nreturn 1 +", "1;"),
        ):
            body = "x;\n" if "$" in head else "x +\n"
            lines = 80 - head.count("\n") - 2
            short = head + "\n" + body * lines + foot
            self.assertEqual(messages(sizes, ("a.sql", short + "\n" * 90 + short)), [], head)
            self.assertEqual(len(messages(sizes, ("a.sql", head + "\n" + body * (lines + 1) + foot))), 1, head)
        self.assertEqual(messages(sizes, ("a.sql", "-- a\ncreate table f (\n" + "a int,\n" * 90 + "b int);")), [])

    def test_columns(self):
        self.assertEqual(len(messages(sizes, ("a.sql", "-- " + "x" * 118))), 1)


class DocumentationTests(unittest.TestCase):
    def test_missing(self):
        for declaration in (
            "package struct A {", "public enum E {", "package final class C: B {", "package actor A {", "package protocol P {",
            "    package indirect enum E {", "    package static func f() throws {", "    @discardableResult package func f() throws -> Int {",
            "    package init(a: Int) throws(E) {", "    package mutating func f(\n        a: Int\n    ) async throws -> Int {",
            "    package func f(a: Int)\n        throws -> Int\n    {", "    package nonisolated func f() throws {",
        ):
            self.assertEqual(len(messages(documentation, ("Sources/A/a.swift", declaration))), 1, declaration)
            self.assertEqual(messages(documentation, ("Sources/A/a.swift", "/// A.\n@frozen\n" + declaration)), [])

    def test_not_needed(self):
        for text in (
            "package import Logging", "struct A {\n    let a: Int\n}", "// package struct A", "    package let a: Int",
            "    package init(a: Int) {", "    package static func f() {\n        try g() // throws\n    }", "    package func f(a: () throws -> Int) {",
            "    package func f()\n    func g() throws", "    package typealias A = B", "extension A: Sequence {\n    package func makeIterator() throws {\n    }\n}",
            "    package func hash(into hasher: inout Hasher) {", "    package init(from decoder: any Decoder) throws {", "    package func f() rethrows {",
        ):
            self.assertEqual(messages(documentation, ("Sources/A/a.swift", text)), [], text)

    def test_an_extension_without_conformance_needs_it(self):
        text = "extension A: B {\n}\nextension A {\n    package func f() throws {}\n}"
        self.assertEqual(len(messages(documentation, ("Sources/A/a.swift", text))), 1)


class ProseTests(unittest.TestCase):
    def findings(self, path, text):
        return [message for message in messages(prose, (path, text)) if "no longer needed" not in message]

    def covered(self, name):
        return "Covered/" + name

    SENTENCES = (
        "It is built anew.", "It is gone for good.", "Positions are dense.", "the how many-eth it is", "Nobody knows.",
        "for somebody's device", "as the asker wants", "It tells the state.", "where it stands", "It turns them away.",
        "It is refused.", "what it promises", "The patience ran out.", "at a second sending", "at most once", "It lets go of it.",
        "Whose it is, counts.", "Who asks again sees it.", "True. What a list says, counts.", "Of several processes one wins.",
    )

    def test_words(self):
        for sentence in self.SENTENCES:
            self.assertEqual(len(self.findings("docs/a.md", sentence)), 1, sentence)
            self.assertEqual(len(self.findings("docs/a.md", "| a | " + sentence + " |")), sentence[:2] not in ("Wh", "Of"), sentence)
            self.assertEqual(len(self.findings(self.covered("a.swift"), "    /// " + sentence)), 1, sentence)
            self.assertEqual(len(self.findings(self.covered("a.swift"), 'let a = "' + sentence + '"')), 1, sentence)
            self.assertEqual(len(self.findings(self.covered("a.sql"), "select 1; -- " + sentence)), 1, sentence)

    def test_sentences(self):
        for text in ("Done.\nWhose it is, counts.", "* What it lacks is there.", "a: \"Who asks\""):
            self.assertEqual(len(self.findings("docs/a.md", text)), 1, text)
        self.assertEqual(self.findings("docs/a.md", "## What it is\n\n| What the event is | Who |\n|---|---|\n\nthe one Who"), [])
        # In comments a name's description may begin so; a whole sentence in a document may not.
        self.assertEqual(self.findings(self.covered("a.swift"), "/// What was observed; nil for nothing."), [])

    def test_over_the_end_of_a_line(self):
        found = self.findings(self.covered("a.swift"), "let a = 1\n/// It is gone for\n/// good.")
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith(self.covered("a.swift") + ":2: "), found)

    def test_not_prose(self):
        for path, text in (
            ("docs/a.md", "`anew` [a](anew.md) <!-- anew -->"), ("docs/a.md", "```sh\nanew\n```"), ("docs/a.md", "it stands for a thing, stand-alone"),
            ("docs/a.md", "for good measure"), ("docs/a.md", "I understand"), ("a.py", "anew"), ("a.swift", "func anew() {}"),
            ("a.swift", 'file + ".refused.csv"'), ("a.swift", 'reader.integer("refused")'), ("a.swift", "the user 'nobody'"), ("a.sql", "select stands from anew"),
            ("openapi.yaml", "pattern: anew"),
        ):
            self.assertEqual(self.findings(path, text), [], text)
        self.assertEqual(len(self.findings("a.sql", "raise exception 'is refused' using errcode = 'x';")), 1)

    def test_formulas(self):
        for comment in ("Writes the members.", "Fills in everything.", "Puts the event together.", "How many.", "Why."):
            self.assertEqual(len(self.findings(self.covered("a.swift"), f"    /// {comment}\n    let a: Int")), 1, comment)
        for comment in ("How many, at least one.", "Writes the members in their order.", "When.\n/// UTC."):
            self.assertEqual(self.findings(self.covered("a.swift"), f"/// {comment}\nlet a: Int"), [], comment)


class WordTests(unittest.TestCase):
    ALLOWED_BUT_UNUSED = 8

    def findings(self, path, text):
        return [message for message in messages(words, (path, text)) if "no longer needed" not in message]

    def test_found(self):
        for text in (
            "fatalError()", "try! f()", "a as! B", "// TODO", "x: @unchecked Sendable", "nonisolated(unsafe) let a",
            "Task { }", "Task(priority: .low) { }", "Task.detached {", "let path = \"/home/anna/x\"",
        ):
            self.assertEqual(len(self.findings("Sources/A/a.swift", text)), 1, text)

    def test_not_found(self):
        for text in ("group.addTask { }", '"fatalError("', "// try! it", "try? f()", "/var/work/x", "Task<A, B>", "https://a/home/b"):
            self.assertEqual(self.findings("Sources/A/a.swift", text), [], text)
        self.assertEqual(self.findings("Tests/ATests/a.swift", "Task { }"), [])

    def test_the_list_of_exceptions(self):
        self.assertEqual(self.findings("Sources/Postgres/Handle/a.swift", "x: @unchecked Sendable"), [])
        unused = [message for message in messages(words) if "no longer needed" in message]
        self.assertEqual(len(unused), self.ALLOWED_BUT_UNUSED)


class ExceptionsTests(unittest.TestCase):
    def test_entries(self):
        exceptions = Exceptions("a.txt", "# a comment\n\nA/: x y: a reason: two colons\nA/b.md: z: another\n")
        self.assertTrue(exceptions.allow("A/c.md", "x y"))
        self.assertFalse(exceptions.allow("B/c.md", "x y"))
        self.assertFalse(exceptions.allow("A/c.md", "z"))
        self.assertEqual([str(finding) for finding in exceptions.unused()], ["scripts/checks/a.txt: no longer needed: A/b.md: z"])

    def test_a_reason_is_needed(self):
        for text in ("A/: x", "A/: x: ", "A/"):
            with self.assertRaises(SystemExit):
                Exceptions("a.txt", text)


class ImportTests(unittest.TestCase):
    def test_arrows(self):
        wrong = [("WebAPI", "Postgres"), ("Domain", "EventLog"), ("EventLog", "CLibPQ"), ("Service", "TestSupport"), ("Vault", "EventLog")]
        for target, module in wrong:
            self.assertEqual(len(messages(imports, (f"Sources/{target}/a.swift", f"package import {module}"))), 1)
        for target, module in [("EventLog", "Postgres"), ("skein", "WebAPI"), ("Postgres", "CLibPQ"), ("Domain", "FoundationEssentials")]:
            self.assertEqual(messages(imports, (f"Sources/{target}/a.swift", f"internal import {module}")), [])

    def test_forms(self):
        for form in ("@preconcurrency import Postgres", "@_exported package import struct Postgres.SQL", "import Postgres"):
            self.assertEqual(len(messages(imports, ("Sources/WebAPI/a.swift", form))), 1, form)

    def test_domain_and_foundation(self):
        self.assertEqual(len(messages(imports, ("Sources/Domain/a.swift", "import Foundation"))), 1)

    def test_a_new_target_must_be_listed(self):
        self.assertEqual(len(messages(imports, ("Sources/WebPages/a.swift", ""))), 1)

    def test_folders_know_only_lower_ones(self):
        wren = ("Sources/Domain/Taxa/Names/a.swift", "@frozen\npackage struct Wren {\n    enum Nest {}\n}")
        for path, text, count in (
            ("Places/b.swift", "let a: Wren", 1), ("Values/b.swift", "extension Wren {}\nlet a = [Wren]()", 2), ("Taxa/b.swift", "let a: Wren", 0),
            ("Photos/b.swift", "let a: Wren", 0), ("Places/b.swift", "let a = b.Wren", 0), ("Places/b.swift", "// Wren", 0),
            ("Places/b.swift", "let a: Nest", 0), ("b.swift", "let a: Wren", 0), ("Nests/b.swift", "", 1),
        ):
            self.assertEqual(len(messages(imports, wren, ("Sources/Domain/" + path, text))), count, path + text)
        self.assertEqual(messages(imports, ("Sources/Domain/Values/a.swift", "enum A {}"), ("Sources/Domain/Events/b.swift", "let a: A")), [])
        self.assertEqual(len(messages(imports, ("Sources/Domain/a.swift", "enum A {}"), ("Sources/Domain/Photos/b.swift", "let a: A"))), 1)


class LinkTests(unittest.TestCase):
    OTHER = ("docs/b.md", "# One Thing: `two`\n")

    def test_dead(self):
        for text in ("[x](c.md)", "[x](docs/c.md)", "[x](docs/b.md#none)", "`Sources/None/a.swift`", "[x](../b.md)"):
            self.assertEqual(len(messages(links, ("README.md", text), self.OTHER)), 1, text)

    def test_alive(self):
        for text in ("[x](docs/b.md)", "[x](docs/b.md#one-thing-two)", "[x](https://a.b)", "`docs/b.md`", "`docs/`", "`docs/*.md`", "[x](docs)",
                     "```\n[x](c.md)\n```"):
            self.assertEqual(messages(links, ("README.md", text), self.OTHER), [], text)
        self.assertEqual(messages(links, ("docs/a.md", "[x](b.md) [y](../README.md)"), self.OTHER, ("README.md", "")), [])


class NamedTestTests(unittest.TestCase):
    SWIFT = ("Tests/ATests/Wrens/b.swift", "@Suite struct WrenTests {\n    @Test func `a wren's nest`() {}\n    @Test func plain() {}\n}")

    def test_missing(self):
        for text in ("`OwlTests`", "`OwlTests/a wren's nest`", "`WrenTests/a nest`"):
            self.assertEqual(len(messages(named_tests, ("docs/a.md", f"See {text}."), self.SWIFT)), 1, text)

    def test_there(self):
        for text in ("`WrenTests`", "`ATests`", "`WrenTests/a wren's nest`, `WrenTests/plain`", "```\n`OwlTests`\n```"):
            self.assertEqual(messages(named_tests, ("docs/a.md", text), self.SWIFT), [], text)


class FieldTests(unittest.TestCase):
    @staticmethod
    def files(count, text="let captive = true\n"):
        return [(f"Sources/A/{number}.swift", text) for number in range(count)]

    def test_files_and_lines(self):
        self.assertEqual(messages(fields, *self.files(fields.FILE_LIMIT)), [])
        self.assertEqual(len(messages(fields, *self.files(fields.FILE_LIMIT + 1))), 1)
        lines = "x.captive\n" * fields.LINE_LIMIT
        self.assertEqual(messages(fields, *self.files(1, lines)), [])
        self.assertEqual(len(messages(fields, *self.files(1, lines + '"captive"\n'))), 1)

    def test_what_does_not_count(self):
        for text in ("// captive\n", "    /// captive\n", "captiveMeans\n"):
            self.assertEqual(messages(fields, *self.files(fields.FILE_LIMIT + 1, text)), [], text)
        others = [(f"Tests/A/{number}.swift", "captive\n") for number in range(fields.FILE_LIMIT + 1)]
        self.assertEqual(messages(fields, *others), [])


class SQLTests(unittest.TestCase):
    def test_header(self):
        self.assertEqual(len(messages(sql, ("Sources/A/a.sql", "SELECT 1"))), 1)
        self.assertEqual(len(messages(sql, ("Sources/A/a.sql", "--\nSELECT 1"))), 1)
        self.assertEqual(messages(sql, ("Sources/A/a.sql", "-- One.\nSELECT 1")), [])

    def test_numbers(self):
        self.assertEqual(len(messages(sql, ("migrations/1_a.sql", "-- A."))), 1)
        self.assertEqual(len(messages(sql, ("migrations/0001_a_b.sql", "-- A."), ("migrations/0003_a_b.sql", "-- A."))), 1)


if __name__ == "__main__":
    unittest.main()
