"""Builds share/taxa/*.tsv.

    python3 build_taxa.py --banding-list bbl_2025.csv --avilist avilist_2025.csv.gz

Birds come from the USGS Bird Banding Laboratory's list (names, codes), arranged and named as in AviList 2025, with the
hand-made tables in `hand/`; mammals, reptiles and amphibians come from `hand/` alone. Needs nothing but Python 3.10.
"""

import argparse
import csv
import gzip
import pathlib
import re

SOURCES = pathlib.Path(__file__).resolve().parent
TAXA = SOURCES.parent / "taxa"
COLUMNS = "scientificName rank parent kind authorship names synonyms description link code".split()
# Misprints of the banding list.
MISPRINTS = {"Aredea ibis": "Ardea ibis", "Branta canadensis ocidentalis": "Branta canadensis occidentalis"}
# Forms of the banding list that AviList does not have; their species do exist there.
WITHOUT_AVILIST = {"Patagioenas inornata wetmorei", "Melozone crissalis eremophilus"}
CLASSES = [
    ("Aves", "bird", "Birds", "Oiseaux", "The class of birds."),
    ("Mammalia", "mammal", "Mammals", "Mammifères", "The class of mammals."),
    ("Reptilia", "reptile", "Reptiles", "Reptiles", "Turtles, crocodilians, lizards and snakes."),
    ("Amphibia", "amphibian", "Amphibians", "Amphibiens", "Frogs, toads and salamanders."),
]
ITIS = (
    "https://www.itis.gov/servlet/SingleRpt/SingleRpt?search_topic=Scientific_Name&search_value={0}%20{1}"
    "&search_kingdom=every&search_span=exactly_for&categories=All&source=html&search_credRating=All"
)
LINKS = {
    "mammal": ITIS,
    "reptile": "https://reptile-database.reptarium.cz/species?genus={0}&species={1}",
    "amphibian": "https://amphibiaweb.org/cgi/amphib_query?where-genus={0}&where-species={1}",
}
RANK_OF_WORDS = {1: "genus", 2: "species", 3: "subspecies"}


def hand(name):
    with open(SOURCES / "hand" / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def names(english, french=()):
    """`en:…|fr:…`, the preferred name of each language first, no name twice."""
    listed = [f"en:{n}" for n in english if n] + [f"fr:{n}" for n in french if n]
    return "|".join(dict.fromkeys(listed))


def taxon(name, rank, parent, kind, **rest):
    return {**dict.fromkeys(COLUMNS, ""), "scientificName": name, "rank": rank, "parent": parent, "kind": kind, **rest}


def write(name, rows):
    with open(TAXA / name, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
        writer.writeheader()
        writer.writerows(rows)
    print(f"{name}: {len(rows)} taxa, {sum(r['rank'] == 'species' for r in rows)} species")


# The ranks above.


def higher():
    yield taxon("Animalia", "kingdom", "", "other", names=names(["Animals"], ["Animaux"]), description="The kingdom of animals.")
    yield taxon(
        "Chordata", "phylum", "Animalia", "other", names=names(["Chordates"], ["Chordés"]), description="The phylum of chordates."
    )
    for name, kind, english, french, description in CLASSES:
        yield taxon(name, "class", "Chordata", kind, names=names([english], [french]), description=description)


# Birds.


def authorship(authority):
    """AviList's "(Baird, SF; Cassin, J, 1858)" as the Code writes it: "(Baird & Cassin, 1858)"."""
    match = re.fullmatch(r"(\(?)(.+), (\d{4})(\)?)", authority.strip())
    if not match:
        return ""
    people = [person.split(",")[0].strip() for person in match[2].split(";")]
    listed = people[0] if len(people) == 1 else ", ".join(people[:-1]) + " & " + people[-1]
    return f"{match[1]}{listed}, {match[3]}{match[4]}"


class Birds:
    def __init__(self, banding_list, avilist):
        with gzip.open(avilist, "rt", encoding="utf-8", newline="") as file:
            self.avilist = {row["Scientific_name"]: row for row in csv.DictReader(file)}
        with open(banding_list, encoding="utf-8", newline="") as file:
            self.banded = [self.cleaned(row) for row in csv.DictReader(file)]
        self.synonyms = {row["synonym"]: row["scientificName"] for row in hand("birds_synonyms.tsv")}
        self.overrides = {row["scientificName"]: row for row in hand("birds_names.tsv")}
        self.english, self.french, self.codes = {}, {}, {}

    @staticmethod
    def cleaned(row):
        # Two names of the list hold zero-width spaces.
        name = " ".join(re.sub(r"[^A-Za-z ]", "", row["scientific_name"]).split())
        return {**row, "scientific_name": MISPRINTS.get(name, name)}

    def accepted(self, name):
        name = self.synonyms.get(name, name)
        if name not in self.avilist and name not in WITHOUT_AVILIST:
            raise SystemExit(f"{name} is neither in AviList nor a known synonym")
        return name

    def collect(self):
        """English and French names and codes by accepted name, the preferred first."""
        for row in hand("birds_added.tsv"):
            self.note(row["scientificName"], [row["en"]], [row["fr"]], "")
        for row in self.banded:
            name = self.accepted(row["scientific_name"])
            self.note(name, [row["bbl_common_name"]], [row["bbl_french_name"]], row["bbl_alpha"])
        for name, row in self.overrides.items():
            self.english[name] = row["en"].split("|")
            self.french[name] = [row["fr"]] if row["fr"] else self.french.get(name, [])
            self.codes[name] = row["code"] or self.codes.get(name, "")
        for name in [n for n in self.english if len(n.split()) == 3]:
            self.note(" ".join(name.split()[:2]), [], [], "")
        for name in [n for n in self.english if len(n.split()) == 2 and n not in self.overrides]:
            self.english[name].append(self.avilist[name]["English_name_AviList"])
        for name in [n for n in self.synonyms.values() if n not in self.english and " ".join(n.split()[:2]) in self.english]:
            # A subspecies that has only an old species' name, such as Kumlien's Gull.
            self.note(name, [], [], "")

    def note(self, name, english, french, code):
        self.english.setdefault(name, []).extend(e for e in english if e)
        self.french.setdefault(name, []).extend(f for f in french if f)
        if code and not self.codes.get(name):
            self.codes[name] = code

    def order_of(self, name):
        species = " ".join(name.split()[:2])
        return int(self.avilist[species]["Sequence"]), len(name.split()), name

    def rows(self):
        self.collect()
        old = {}
        for synonym, name in self.synonyms.items():
            if name in self.english:
                old.setdefault(name, []).append(synonym)
        seen = set()
        for name in sorted(self.english, key=self.order_of):
            species = self.avilist[" ".join(name.split()[:2])]
            for row in self.above(species):
                if row["scientificName"] not in seen:
                    seen.add(row["scientificName"])
                    yield row
            yield self.row(name, species, sorted(old.get(name, [])))

    def above(self, species):
        order, family, genus = species["Order"], species["Family"], species["Scientific_name"].split()[0]
        label = species["Family_English_name"]
        yield taxon(order, "order", "Aves", "bird", description="An order of birds.")
        yield taxon(family, "family", order, "bird", names=names([label]), description=f"A family of birds in the order {order}.")
        yield taxon(
            genus, "genus", family, "bird",
            authorship=authorship(self.avilist[genus]["Authority"]), description=f"A genus in the family {family} ({label}).",
        )

    def row(self, name, species, synonyms):
        words = name.split()
        rank = RANK_OF_WORDS[len(words)]
        facts = self.avilist.get(name, {})
        if rank == "species":
            parent, link = words[0], facts["Birds_of_the_World_URL"] or facts["BirdLife_DataZone_URL"]
            description = f"A bird of the family {species['Family']} ({species['Family_English_name']})."
        else:
            parent, link = " ".join(words[:2]), ""
            description = f"A subspecies of {parent} ({self.english[parent][0]})."
        gone = facts.get("Extinct_or_possibly_extinct", "").strip("()").capitalize()
        if gone in ("Extinct", "Possibly extinct", "Extinct in the wild"):
            description += f" {gone}."
        return taxon(
            name, rank, parent, "bird",
            authorship=authorship(facts.get("Authority", "")),
            names=names(self.english[name], self.french[name]),
            synonyms="|".join(synonyms), description=description, link=link, code=self.codes.get(name, ""),
        )


# Mammals, reptiles and amphibians.


def listed(kind, class_name, table):
    seen = set()

    def once(row):
        if row["scientificName"] not in seen:
            seen.add(row["scientificName"])
            yield row

    for row in hand(table):
        name, order, family = row["scientificName"], row["order"], row["family"]
        words = name.split()
        yield from once(taxon(
            order, "order", class_name, kind, names=names([row["orderEn"]]), description=f"An order of {class_name}."
        ))
        yield from once(taxon(
            family, "family", order, kind, names=names([row["familyEn"]]), description=f"A family in the order {order}."
        ))
        yield from once(taxon(words[0], "genus", family, kind, description=f"A genus in the family {family} ({row['familyEn']})."))
        link = LINKS[kind].format(*(row["linkName"] or name).split()) if len(words) == 2 else ""
        yield from once(taxon(
            name, RANK_OF_WORDS[len(words)], " ".join(words[:-1]), kind,
            names=names(row["en"].split("|"), row["fr"].split("|")),
            synonyms=row["synonyms"], description=row["description"], link=link,
        ))


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--banding-list", type=pathlib.Path, required=True)
    arguments.add_argument("--avilist", type=pathlib.Path, required=True)
    options = arguments.parse_args()
    write("higher.tsv", list(higher()))
    write("birds.tsv", list(Birds(options.banding_list, options.avilist).rows()))
    write("mammals.tsv", list(listed("mammal", "Mammalia", "mammals.tsv")))
    write("reptiles.tsv", list(listed("reptile", "Reptilia", "reptiles.tsv")))
    write("amphibians.tsv", list(listed("amphibian", "Amphibia", "amphibians.tsv")))


if __name__ == "__main__":
    main()
