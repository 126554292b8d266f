"""Checks share/targets: the seasonal list, the nest-disturbance list and the neighbours of regions.

    python3 check_targets.py [--counts]

Needs nothing but Python 3.10. Ends with status 1 when anything is wrong, and names file, line and rule.
"""

import argparse
import collections
import re
import sys

from check import SHARE, Taxonomy, table

SEASONAL, NEST, NEIGHBOURS = (f"targets/{name}.tsv" for name in ("seasonal", "nest_disturbance", "neighbours"))
COLUMNS = {
    SEASONAL: "scientificName regions months source".split(),
    NEST: "scientificName months reason source".split(),
    NEIGHBOURS: "region neighbours source".split(),
}
# Of birds, the only kind that targets are normally chosen from.
LEAST_SPECIES = 30
LEAST_FAMILIES = 12
LEAST_WITH_NESTS = 100
COLD_MONTHS = {12, 1, 2}
MILD_REGIONS = {"hawaii", "caribbean", "southeast", "california", "southwest"}
RANGE = re.compile(r"(1[0-2]|[1-9])(?:-(1[0-2]|[1-9]))?")


def months(text):
    """The months of ranges such as 4-5|10-3; raises ValueError if they do not parse or occur twice."""
    found = []
    for part in text.split("|"):
        match = RANGE.fullmatch(part)
        if not match or match[1] == match[2]:
            raise ValueError(f"{part!r} is not a month or a range of months")
        first, last = int(match[1]), int(match[2] or match[1])
        found += [(first - 1 + i) % 12 + 1 for i in range((last - first) % 12 + 1)]
    if len(set(found)) < len(found):
        raise ValueError(f"{text!r} names a month twice")
    return set(found)


def listed(numbers):
    return ", ".join(map(str, sorted(numbers)))


class Checker:
    def __init__(self):
        self.faults = []
        self.taxonomy = Taxonomy()
        self.regions = [row["code"] for row in table(SHARE / "places" / "regions.tsv")]
        readme = (SHARE / "README.md").read_text(encoding="utf-8")
        self.explained = set(re.findall(r"^\| ([^|]+?) \|", readme.partition("\n| source | work |\n")[2], re.MULTILINE))
        self.sensitive = self.sensitive_taxa()
        self.nest = {}
        self.present = collections.defaultdict(dict)
        self.ranked = []

    def sensitive_taxa(self):
        """Sensitive taxa with their ancestors from genus down, and their descendants."""
        names = {row["scientificName"] for row in table(SHARE / "sensitivity.tsv")}
        above = {a for n in names for a in self.taxonomy.lineage(n) if self.rank(a) in ("genus", "species")}
        below = {n for n in self.taxonomy.taxa if names.intersection(self.taxonomy.lineage(n))}
        return above | below

    def rank(self, name):
        return self.taxonomy.taxa.get(name, {}).get("rank")

    def family(self, name):
        return next(n for n in self.taxonomy.lineage(name) if self.rank(n) == "family")

    def fault(self, file, line, rule, text):
        self.faults.append(f"share/{file}:{line}: {rule}: {text}")

    def rows(self, file):
        for line, text in enumerate((SHARE / file).read_bytes().split(b"\n")[:-1], start=1):
            if not text or text.endswith(b"\r"):
                self.fault(file, line, "lines", "the line is empty or does not end in \\n alone")
        for line, row in enumerate(table(SHARE / file), start=2):
            if list(row) != COLUMNS[file] or None in row.values():
                self.fault(file, line, "columns", f"expected {', '.join(COLUMNS[file])}")
                continue
            for column, value in row.items():
                if value != value.strip() or not value and column != "neighbours":
                    self.fault(file, line, "values", f"{column} is empty or has spaces around it")
            if row["source"] not in self.explained:
                self.fault(file, line, "sources", f"share/README.md does not explain {row['source']!r}")
            yield line, row

    def months(self, file, line, row):
        try:
            return months(row["months"])
        except ValueError as error:
            self.fault(file, line, "months", str(error))
            return set()

    def is_species(self, file, line, name):
        if self.rank(name) == "species":
            return True
        self.fault(file, line, "names", f"{name} is not an accepted species")
        return False

    def check_nest(self):
        for line, row in self.rows(NEST):
            name = row["scientificName"]
            self.is_species(NEST, line, name)
            if name in self.nest:
                self.fault(NEST, line, "names", f"{name} occurs twice")
            self.nest[name] = self.months(NEST, line, row)
        if len(self.nest) < LEAST_WITH_NESTS:
            self.fault(NEST, 1, "numbers", f"only {len(self.nest)} species; at least {LEAST_WITH_NESTS} are needed")

    def check_seasonal(self):
        for line, row in self.rows(SEASONAL):
            name, regions = row["scientificName"], row["regions"].split("|")
            when = self.months(SEASONAL, line, row)
            if not self.is_species(SEASONAL, line, name):
                continue
            if name in self.sensitive:
                self.fault(SEASONAL, line, "sensitivity", f"{name} is sensitive, or a taxon below or above it is")
            if disturbed := when & self.nest.get(name, set()):
                self.fault(SEASONAL, line, "nests", f"{name} is on the nest list in months {listed(disturbed)}")
            self.check_cold(line, name, regions, when)
            self.check_rank(line, name)
            self.add(line, name, regions, when)

    def check_cold(self, line, name, regions, when):
        kind = self.taxonomy.taxa[name]["kind"]
        cold = [region for region in regions if region not in MILD_REGIONS]
        if kind in ("reptile", "amphibian") and cold and when & COLD_MONTHS:
            self.fault(SEASONAL, line, "cold months", f"{name} ({kind}) in months 12-2 in {', '.join(cold)}")

    def check_rank(self, line, name):
        """The order of the file is the rank of its species, so a species has one place."""
        if self.ranked[-1:] == [name]:
            return
        if name in self.ranked:
            self.fault(SEASONAL, line, "ranks", f"{name} has rows in another place, too; all must be together")
        self.ranked.append(name)

    def add(self, line, name, regions, when):
        for region in regions:
            if region not in self.regions:
                self.fault(SEASONAL, line, "regions", f"{region!r} is not a region")
                continue
            first = {self.present[region, month].setdefault(name, line) for month in when}
            if regions.count(region) > 1 or first - {line}:
                self.fault(SEASONAL, line, "overlaps", f"{name} occurs twice in the same month in {region}")

    def check_numbers(self):
        counts = collections.defaultdict(list)
        for region in self.regions:
            for month in range(1, 13):
                names = self.present[region, month]
                birds = {name: line for name, line in names.items() if self.taxonomy.taxa[name]["kind"] == "bird"}
                families = {self.family(name) for name in birds}
                counts[region].append(len(names))
                if len(birds) < LEAST_SPECIES or len(families) < LEAST_FAMILIES:
                    last = max(names.values(), default=1)
                    self.fault(
                        SEASONAL, last, "numbers", f"{region}, month {month}: {len(birds)} birds in {len(families)} "
                        f"families; at least {LEAST_SPECIES} in {LEAST_FAMILIES} are needed (the last is on this line)")
        return counts

    def check_neighbours(self):
        lines = {}
        neighbours = {}
        for line, row in self.rows(NEIGHBOURS):
            region, others = row["region"], [n for n in row["neighbours"].split("|") if n]
            for name in [region, *others]:
                if name not in self.regions:
                    self.fault(NEIGHBOURS, line, "regions", f"{name!r} is not a region")
            if region in lines or len(set(others)) < len(others) or region in others:
                self.fault(NEIGHBOURS, line, "neighbours", f"{region} occurs twice, or is its own neighbour")
            lines[region], neighbours[region] = line, others
        for region, others in neighbours.items():
            for other in others:
                if region not in neighbours.get(other, []):
                    self.fault(NEIGHBOURS, lines[region], "symmetry", f"{other} does not name {region}")
        for region in self.regions:
            if region not in lines:
                self.fault(NEIGHBOURS, 1, "regions", f"{region} is missing")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--counts", action="store_true", help="print the number of species by month")
    options = arguments.parse_args()
    checker = Checker()
    checker.check_nest()
    checker.check_seasonal()
    counts = checker.check_numbers()
    checker.check_neighbours()
    if options.counts:
        for region, numbers in counts.items():
            print(f"  {region}: {' '.join(map(str, numbers))} species")
    species = {name for names in checker.present.values() for name in names}
    print("\n".join(checker.faults) or f"targets: {len(species)} species, {len(checker.nest)} with nests, no fault")
    sys.exit(1 if checker.faults else 0)


if __name__ == "__main__":
    main()
