"""Checks share/places: borders, regions, islands, and that known points fall where they should.

    python3 check_places.py [--occurrences FILE.csv]

FILE is a Darwin Core table with decimalLatitude and decimalLongitude; every row must get a state.
Needs shapely 2 and pyproj. Ends with status 1 when anything is wrong.
"""

import argparse
import collections
import csv
import itertools
import pathlib
import sys
import zoneinfo

import pyproj
import shapely
from shapely.geometry import Point

PLACES = pathlib.Path(__file__).resolve().parent.parent / "places"
WITHIN_METRES = 50_000
KNOWN = [
    ("Attu", 52.9, 172.91, "US-AK", "inside"),
    ("Gambell", 63.78, -171.74, "US-AK", None),
    ("St. Paul Island", 57.12, -170.28, "US-AK", None),
    ("Cape May", 38.933, -74.960, "US-NJ", "inside"),
    ("Point Reyes", 37.996, -123.023, "US-CA", "nearest"),
    ("Golden Gate", 37.8199, -122.4783, "US-CA", "nearest"),
    ("Farallones", 37.699, -123.003, "US-CA", "listed"),
    ("Dry Tortugas", 24.628, -82.873, "US-FL", "listed"),
    ("Seattle", 47.61, -122.33, "US-WA", None),
    ("Mona", 18.09, -67.89, "US-PR", "listed"),
    ("Sable Island", 43.93, -59.91, "CA-NS", None),
    ("Midway", 28.21, -177.37, None, "none"),
    ("the middle of the Atlantic", 35.0, -45.0, None, "none"),
    ("Tijuana", 32.50, -117.00, None, "none"),
    ("Ciudad Juarez", 31.65, -106.45, None, "none"),
    ("London", 51.5, -0.12, None, "none"),
    ("St. Pierre", 46.78, -56.18, None, "none"),
    ("Charlotte Amalie", 18.34, -64.93, None, "none"),
]
GEOD = pyproj.Geod(ellps="WGS84")


class Places:
    def __init__(self):
        self.borders = [(r["left"], r["right"], decoded(r["line"])) for r in table("borders.tsv")]
        self.level = {r["code"]: r["level"] for r in table("areas.tsv")}
        self.areas = {code: self.area(code) for code in sorted(self.level)}
        self.states = {c: g for c, g in self.areas.items() if self.level[c] == "state"}
        self.regions = list(table("regions.tsv"))
        self.islands = list(table("islands.tsv"))
        for geometry in self.areas.values():
            shapely.prepare(geometry)

    def area(self, code):
        """The polygons that the borders of an area enclose."""
        own = [shapely.linestrings(line) for left, right, line in self.borders if code in (left, right)]
        return shapely.build_area(shapely.multilinestrings(own))

    def locate(self, latitude, longitude):
        point = Point(longitude, latitude)
        for code, geometry in sorted(self.states.items()):
            if geometry.covers(point):
                return code, "inside", 0.0
        for island in self.islands:
            away = GEOD.inv(longitude, latitude, float(island["longitude"]), float(island["latitude"]))[2]
            if away <= float(island["radiusKm"]) * 1000:
                return (island["code"], "listed", 0.0) if island["code"] else (None, "none", 0.0)
        if any(self.areas[c].covers(point) for c in self.areas if self.level[c] == "abroad"):
            return None, "none", 0.0
        code, metres = self.nearest(latitude, longitude)
        return (code, "nearest", metres) if metres <= WITHIN_METRES else (None, "none", 0.0)

    def nearest(self, latitude, longitude):
        """The state whose outline is nearest, measured in a projection centred on the point."""
        local = pyproj.Transformer.from_crs(
            "EPSG:4326", f"+proj=aeqd +lat_0={latitude} +lon_0={longitude} +datum=WGS84", always_xy=True
        )
        best = (float("inf"), None)
        for code, geometry in self.states.items():
            for outline in shapely.get_parts(geometry):
                for shift in (-360, 0, 360):
                    box = shapely.box(longitude + shift - 8, latitude - 0.6, longitude + shift + 8, latitude + 0.6)
                    if not outline.intersects(box):
                        continue
                    part = outline.exterior.intersection(box).segmentize(0.01)
                    near = shapely.transform(part, lambda xy: list(zip(*local.transform(xy[:, 0], xy[:, 1]))))
                    best = min(best, (near.distance(Point(0, 0)), code))
        return best[1], best[0]


def table(name):
    with open(PLACES / name, encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t")


def decoded(text):
    """The points of an encoded polyline, longitude first."""
    numbers, value, shift = [], 0, 0
    for part in text.encode():
        value |= (part - 63 & 31) << shift
        shift += 5
        if part - 63 < 32:
            numbers.append(~(value >> 1) if value & 1 else value >> 1)
            value, shift = 0, 0
    latitudes, longitudes = itertools.accumulate(numbers[::2]), itertools.accumulate(numbers[1::2])
    return [(x / 1e5, y / 1e5) for y, x in zip(latitudes, longitudes)]


def line_faults(places):
    for left, right, line in places.borders:
        if left == right or not {left, right} <= {"", *places.level}:
            yield f"a border between {left} and {right}"
        if len(line) < 2 or any(a == b for a, b in itertools.pairwise(line)):
            yield f"{left} {right}: a border without length"
        if any(abs(a[0] - b[0]) > 180 for a, b in itertools.pairwise(line)):
            yield f"{left} {right}: a border crosses the 180th meridian"
        if any(abs(x) > 180 or abs(y) > 90 for x, y in line):
            yield f"{left} {right}: a point is not on Earth"
    lines = [shapely.linestrings(line) for _, _, line in places.borders]
    one, other = shapely.STRtree(lines).query(lines, predicate="crosses")
    for a, b in zip(one.tolist(), other.tolist()):
        if a < b:
            yield f"borders {places.borders[a][:2]} and {places.borders[b][:2]} cross"


def border_faults(places):
    for (a, ga), (b, gb) in itertools.combinations(places.areas.items(), 2):
        if ga.intersects(gb) and ga.intersection(gb).area > 0:
            yield f"{a} and {b} overlap by {ga.intersection(gb).area} square degrees"
    listed = [m for r in places.regions for m in r["members"].split(",")]
    if sorted(listed) != sorted(places.states):
        yield "regions.tsv does not hold every state once"


def table_faults(places):
    for region in places.regions:
        zoneinfo.ZoneInfo(region["zone"])
    for island in places.islands:
        if island["code"] and island["code"] not in places.states:
            yield f"{island['name']}: no state {island['code']}"
        code, metres = places.nearest(float(island["latitude"]), float(island["longitude"]))
        if island["code"] and metres - float(island["radiusKm"]) * 1000 < 0 and code != island["code"]:
            yield f"{island['name']}: its circle reaches into {code}"


def point_faults(places):
    for name, latitude, longitude, state, basis in KNOWN:
        found, how, metres = places.locate(latitude, longitude)
        print(f"  {name}: {found} {how} {metres:.0f} m")
        if found != state or (basis and how != basis):
            yield f"{name}: expected {state} {basis}, found {found} {how}"


def occurrence_faults(places, path):
    counts, farthest, seen = collections.Counter(), 0, {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            at = (float(row["decimalLatitude"]), float(row["decimalLongitude"]))
            if at not in seen:
                seen[at] = places.locate(*at)
            state, how, metres = seen[at]
            counts[how] += 1
            farthest = max(farthest, metres)
            if state is None:
                yield f"{row['occurrenceID']} at {at} has no state"
    print(f"  {path.name}: {dict(counts)}, farthest {farthest:.0f} m, {len(seen)} places")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--occurrences", type=pathlib.Path)
    options = arguments.parse_args()
    places = Places()
    faults = [*line_faults(places), *border_faults(places), *table_faults(places), *point_faults(places)]
    if options.occurrences:
        faults += occurrence_faults(places, options.occurrences)
    print(collections.Counter(places.level.values()), len(places.islands), "islands")
    print("\n".join(faults) if faults else "places: no fault")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
