"""Each check finds what it is there for, and nothing in what is right: `python3 -m unittest discover scripts/checks`."""

import unittest

import documentation
import imports
import links
import sizes
import sql
import words
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
        for head in ("func f() {", "func f(\n    a: Int\n) async throws\n{", "init?() {", "deinit {", "func f() -> A\nwhere B: C {"):
            lines = 60 - head.count("\n") - 2
            self.assertEqual(messages(sizes, ("Sources/A/a.swift", head + "\n" + "x\n" * lines + "}\n")), [], head)
            self.assertEqual(len(messages(sizes, ("Sources/A/a.swift", head + "\n" + "x\n" * (lines + 1) + "}\n"))), 1, head)

    def test_a_requirement_without_a_body_has_no_length(self):
        text = "protocol P {\n    func f()\n    func g()\n" + "    var x: Int { get }\n" * 70 + "}\n"
        self.assertEqual(messages(sizes, ("Sources/A/a.swift", text)), [])

    def test_columns(self):
        self.assertEqual(len(messages(sizes, ("a.sql", "-- " + "x" * 118))), 1)


class DocumentationTests(unittest.TestCase):
    def test_missing(self):
        for declaration in (
            "package struct A {", "    package let a: Int", "package static func f() {", "    @discardableResult package func f()",
            "    package private(set) var a = 1", "    package init(a: Int) {", "public enum E {", "    nonisolated package let a: Int",
        ):
            self.assertEqual(len(messages(documentation, ("Sources/A/a.swift", declaration))), 1, declaration)
            self.assertEqual(messages(documentation, ("Sources/A/a.swift", "/// What.\n@frozen\n" + declaration)), [])

    def test_not_needed(self):
        for text in (
            "package import Logging", "struct A {\n    let a: Int\n}", "// package let a", "    package var description: String {",
            "extension A: Sequence {\n    package func makeIterator() {\n    }\n}", "    package func hash(into hasher: inout Hasher) {",
        ):
            self.assertEqual(messages(documentation, ("Sources/A/a.swift", text)), [], text)

    def test_constants_share_a_comment(self):
        text = "    /// Codes.\n    package static let a = 1\n    package static let b = 2\n\n    package static let c = 3"
        self.assertEqual(len(messages(documentation, ("Sources/A/a.swift", text))), 1)

    def test_an_extension_without_conformance_needs_it(self):
        text = "extension A: B {\n}\nextension A {\n    package func f() {}\n}"
        self.assertEqual(len(messages(documentation, ("Sources/A/a.swift", text))), 1)


class WordTests(unittest.TestCase):
    ALLOWED_BUT_UNUSED = 5

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
