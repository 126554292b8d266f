"""Checks share/taxa, share/sensitivity.tsv and share/passwords, and how many rows of a file find a taxon.

    python3 check.py [--occurrences FILE.csv.gz]

FILE is a table with a column scientificName. Needs nothing but Python 3.10. Ends with status 1 when anything is wrong.
"""

import argparse
import collections
import csv
import gzip
import pathlib
import re
import sys
import unicodedata

SHARE = pathlib.Path(__file__).resolve().parent.parent
SENSITIVITY_COLUMNS = "scientificName category everydayNames reason source".split()
COLUMNS = "scientificName rank parent kind authorship names synonyms description link code".split()
RANKS = "kingdom phylum class order family genus species subspecies".split()
KINDS = "bird mammal reptile amphibian plant other".split()
LEAST_SPECIES = {"bird": 1_000, "mammal": 60, "reptile": 40, "amphibian": 30}
LEAST_COVERAGE = 0.995
LEAST_SENSITIVE = 30
# Species so newly split that AviList gives no account's address.
MOST_WITHOUT_LINK = 10
NAME = re.compile(r"[A-Z][a-z]+( [a-z]+){0,2}")
QUALIFIER = re.compile(r"\s*\([^)]*\)|\s+(sp|spp)\.?$")


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


class Taxonomy:
    def __init__(self):
        self.rows = [row for path in sorted((SHARE / "taxa").glob("*.tsv")) for row in table(path)]
        self.taxa = {row["scientificName"]: row for row in self.rows}
        self.synonyms = {s: row["scientificName"] for row in self.rows for s in row["synonyms"].split("|") if s}

    def accepted(self, name):
        return name if name in self.taxa else self.synonyms.get(name)

    def lineage(self, name):
        path = []
        while name and name not in path:
            path.append(name)
            name = self.taxa[name]["parent"] if name in self.taxa else ""
        return path[::-1]

    def common_ancestor(self, names):
        shared = None
        for lineage in map(self.lineage, names):
            shared = lineage if shared is None else [a for a, b in zip(shared, lineage) if a == b]
        return shared[-1] if shared else None

    def resolve(self, text):
        """A name, a name with "sp.", a slash or hybrid form (its lowest common ancestor), or a trinomial's species."""
        name = QUALIFIER.sub("", QUALIFIER.sub("", text)).strip()
        if found := self.accepted(name):
            return found
        parts = re.split(r"\s*/\s*|\s+[x×]\s+", name)
        if len(parts) == 1 and (hybrid := re.fullmatch(r"(.* )([a-z]{3,})x([a-z]{3,})", name)):
            parts = [hybrid[1] + hybrid[2], hybrid[3]]
        if len(parts) > 1:
            first = parts[0].split()
            whole = [p if p[:1].isupper() else " ".join([*first[:-1], p]) for p in parts]
            found = [self.resolve(p) for p in whole]
            return self.common_ancestor(found) if all(found) else None
        words = name.split()
        return self.accepted(" ".join(words[:2])) if len(words) == 3 else None


def taxon_faults(t):
    for row in t.rows:
        name = row["scientificName"]
        if list(row) != COLUMNS or None in row.values():
            yield f"{name}: wrong columns"
        if not NAME.fullmatch(name):
            yield f"{name}: not a scientific name"
        if row["rank"] not in RANKS or row["kind"] not in KINDS:
            yield f"{name}: unknown rank or kind"
            continue
        parent = t.taxa.get(row["parent"])
        if parent is None and row["rank"] != "kingdom":
            yield f"{name}: no parent {row['parent']}"
        elif parent and RANKS.index(parent["rank"]) >= RANKS.index(row["rank"]):
            yield f"{name}: {row['rank']} below {parent['rank']}"
        elif parent and row["rank"] in ("species", "subspecies") and not name.startswith(parent["scientificName"] + " "):
            yield f"{name}: its parent is {parent['scientificName']}"
        if t.lineage(name)[:1] != ["Animalia"]:
            yield f"{name}: does not lead to Animalia"
        if any(not re.fullmatch(r"[a-z]{2}:\S.*", n) for n in row["names"].split("|") if n):
            yield f"{name}: names {row['names']}"
        if row["rank"] == "species" and not row["names"].startswith("en:"):
            yield f"{name}: no English name"
        if not row["description"].endswith(".") or len(row["description"]) > 160:
            yield f"{name}: description {row['description']!r}"
        if row["link"] and not row["link"].startswith("https://"):
            yield f"{name}: link {row['link']}"
        # The banding list has one shorter than four letters: OU, the Hawaiian Ou.
        if row["code"] and not re.fullmatch("[A-Z]{2,4}", row["code"]):
            yield f"{name}: code {row['code']}"
        if any(not NAME.fullmatch(s) for s in row["synonyms"].split("|") if s):
            yield f"{name}: synonyms {row['synonyms']}"


def name_faults(t):
    repeated = collections.Counter(row["scientificName"] for row in t.rows)
    yield from (f"{name} occurs {n} times" for name, n in repeated.items() if n > 1)
    old = collections.Counter(s for row in t.rows for s in row["synonyms"].split("|") if s)
    yield from (f"synonym {name} occurs {n} times" for name, n in old.items() if n > 1)
    yield from (f"{name} is accepted and a synonym" for name in old if name in t.taxa)
    codes = collections.Counter(row["code"] for row in t.rows if row["code"])
    yield from (f"code {code} occurs {n} times" for code, n in codes.items() if n > 1)
    first = collections.Counter(row["names"].split("|")[0] for row in t.rows if row["rank"] == "species")
    yield from (f"{name} names {n} species" for name, n in first.items() if n > 1)


def count_faults(t):
    for kind, least in LEAST_SPECIES.items():
        count = sum(row["kind"] == kind and row["rank"] == "species" for row in t.rows)
        print(f"  {kind}: {count} species")
        if count < least:
            yield f"only {count} species of kind {kind}"
    bare = [row["scientificName"] for row in t.rows if row["rank"] == "species" and not row["link"]]
    print(f"  species without a link: {', '.join(bare)}")
    if len(bare) > MOST_WITHOUT_LINK:
        yield "too many species without a link"
    wren = t.taxa.get("Troglodytes pacificus")
    if not wren or not wren["names"].startswith("en:Pacific Wren"):
        yield "the Pacific Wren is missing"


def coverage_faults(t, path):
    rows = collections.Counter()
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows.update(row["scientificName"] for row in csv.DictReader(file))
    missing = {name: n for name, n in rows.items() if not t.resolve(name)}
    found = 1 - sum(missing.values()) / sum(rows.values())
    exact = sum(n for name, n in rows.items() if t.accepted(name)) / sum(rows.values())
    print(f"  {path.name}: {found:.3%} of {sum(rows.values())} rows find a taxon, {exact:.3%} by name or synonym")
    print(f"  without: {missing}")
    if found < LEAST_COVERAGE:
        yield "too few rows find a taxon"


def folded(name):
    plain = unicodedata.normalize("NFKD", name.lower().replace("ß", "ss"))
    letters = (c for c in plain if not unicodedata.combining(c) and c not in "'’ʻ.")
    return " ".join("".join(letters).replace("-", " ").split())


def sensitivity_faults(t):
    rows = table(SHARE / "sensitivity.tsv")
    names = {folded(n.split(":", 1)[1]) for row in t.rows for n in row["names"].split("|") if n}
    names |= {folded(n) for n in [*t.taxa, *t.synonyms]}
    codes = {folded(row["code"]) for row in t.rows if row["code"]}
    for row in rows:
        if list(row) != SENSITIVITY_COLUMNS or None in row.values():
            yield f"sensitive {row['scientificName']}: wrong columns"
            continue
        everyday = [folded(n) for n in row["everydayNames"].split("|")]
        if not all(everyday) or len(set(everyday)) < len(everyday):
            yield f"sensitive {row['scientificName']}: an everyday name is empty or occurs twice"
        for name in everyday:
            if name in names | codes:
                yield f"sensitive {row['scientificName']}: {name} is a name of the checklist"
        if row["scientificName"] not in t.taxa:
            yield f"sensitive {row['scientificName']} is not a taxon"
        if row["category"] not in "1234" or not row["reason"] or not row["source"]:
            yield f"sensitive {row['scientificName']}: incomplete"
    if len(rows) < LEAST_SENSITIVE or len({r["scientificName"] for r in rows}) < len(rows):
        yield "too few sensitive taxa, or one twice"
    print(f"  sensitive: {len(rows)} taxa, {dict(collections.Counter(r['category'] for r in rows))}")


def password_faults():
    words = (SHARE / "passwords" / "common.txt").read_text(encoding="utf-8").splitlines()
    if len(set(words)) < len(words) or any(w != w.lower() or w != w.strip() or not w for w in words):
        yield "passwords: one twice, or not in lower case"
    if sum(len(w) >= 10 for w in words) < 1_000:
        yield "passwords: too few long ones"


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--occurrences", type=pathlib.Path)
    options = arguments.parse_args()
    t = Taxonomy()
    faults = [*taxon_faults(t), *name_faults(t), *count_faults(t), *sensitivity_faults(t), *password_faults()]
    if options.occurrences:
        faults += coverage_faults(t, options.occurrences)
    print("\n".join(faults) if faults else f"taxa: {len(t.rows)}, synonyms: {len(t.synonyms)}, no fault")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
