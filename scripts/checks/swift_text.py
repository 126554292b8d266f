"""Just enough of Swift's lexical structure to count braces: where strings and comments are."""


def without_strings_and_comments(text):
    """The text with the contents of strings and comments blanked out; every line break stays where it is."""
    return _Blanker(text).run()


class _Blanker:
    def __init__(self, text):
        self.text = text
        self.out = []
        self.position = 0

    def run(self):
        self._code(stop_at_parenthesis=False)
        return "".join(self.out)

    def _at(self, token):
        return self.text.startswith(token, self.position)

    def _keep(self, count=1):
        self.out.append(self.text[self.position:self.position + count])
        self.position += count

    def _blank(self, count=1):
        for character in self.text[self.position:self.position + count]:
            self.out.append("\n" if character == "\n" else " ")
        self.position += count

    def _code(self, stop_at_parenthesis):
        """Copies code; with `stop_at_parenthesis` as far as the one that closes an interpolation."""
        depth = 0
        while self.position < len(self.text):
            if self._at("//"):
                end = self.text.find("\n", self.position)
                self._blank((end if end >= 0 else len(self.text)) - self.position)
            elif self._at("/*"):
                self._block_comment()
            elif self.text[self.position] in '"#' and self._string():
                continue
            else:
                character = self.text[self.position]
                depth += (character == "(") - (character == ")")
                if stop_at_parenthesis and depth < 0:
                    return
                self._keep()

    def _block_comment(self):
        depth = 0
        while self.position < len(self.text):
            if self._at("/*"):
                depth += 1
                self._blank(2)
            elif self._at("*/"):
                depth -= 1
                self._blank(2)
                if depth == 0:
                    return
            else:
                self._blank()

    def _string(self):
        """Blanks a string, if one begins here: `"…"`, three quotes, `#"…"#`. Says whether one did."""
        hashes = 0
        while self.text.startswith("#", self.position + hashes):
            hashes += 1
        quotes = 3 if self.text.startswith('"""', self.position + hashes) else 1
        if not self.text.startswith('"', self.position + hashes):
            if hashes:
                self._keep(hashes)
            return bool(hashes)
        self._blank(hashes + quotes)
        closing, escape = '"' * quotes + "#" * hashes, "\\" + "#" * hashes
        while self.position < len(self.text):
            if self._at(closing):
                self._blank(len(closing))
                return True
            if self._at("\n") and quotes == 1:
                return True  # not a string after all: a quote in a regular expression
            if self._at(escape + "("):
                self._blank(len(escape) + 1)
                self._code(stop_at_parenthesis=True)
                self._blank()
            elif self._at(escape):
                self._blank(len(escape) + 1)
            else:
                self._blank()
        return True
