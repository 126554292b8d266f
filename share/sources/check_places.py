"""Checks share/places: rings, shared borders, unions, islands, and that known points fall where they should.

    python3 check_places.py [--occurrences FILE.csv]

FILE is a Darwin Core table with decimalLatitude and decimalLongitude; every row must get a state.
Needs shapely 2 and pyproj. Ends with status 1 when anything is wrong.
"""

import argparse
import collections
import csv
import itertools
import json
import pathlib
import sys
import zoneinfo

import pyproj
import shapely
from shapely.geometry import Point, Polygon, shape

PLACES = pathlib.Path(__file__).resolve().parent.parent / "places"
WITHIN_METRES = 50_000
AT_BORDER_METRES = 1_000
KNOWN = [
    ("Attu", 52.9, 172.91, "US-AK", "listed"),
    ("Gambell", 63.78, -171.74, "US-AK", None),
    ("St. Paul Island", 57.12, -170.28, "US-AK", None),
    ("Cape May", 38.933, -74.960, "US-NJ", "nearest"),
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
        with open(PLACES / "places.geojson", encoding="utf-8") as file:
            self.features = json.load(file)["features"]
        self.levels = collections.defaultdict(dict)
        for f in self.features:
            self.levels[f["properties"]["level"]][f["properties"]["code"]] = shape(f["geometry"])
        self.regions = list(table("regions.tsv"))
        self.islands = list(table("islands.tsv"))
        for level in ("state", "abroad"):
            for geometry in self.levels[level].values():
                shapely.prepare(geometry)

    def locate(self, latitude, longitude):
        point = Point(longitude, latitude)
        for code, geometry in sorted(self.levels["state"].items()):
            if geometry.covers(point):
                return code, "inside", 0.0
        for island in self.islands:
            away = GEOD.inv(longitude, latitude, float(island["longitude"]), float(island["latitude"]))[2]
            if away <= float(island["radiusKm"]) * 1000:
                return (island["code"], "listed", 0.0) if island["code"] else (None, "none", 0.0)
        code, metres = self.nearest(latitude, longitude)
        if metres > WITHIN_METRES:
            return None, "none", 0.0
        if metres > AT_BORDER_METRES and any(g.covers(point) for g in self.levels["abroad"].values()):
            return None, "none", 0.0
        return code, "nearest", metres

    def nearest(self, latitude, longitude):
        """The state whose outline is nearest, measured in a projection centred on the point."""
        local = pyproj.Transformer.from_crs(
            "EPSG:4326", f"+proj=aeqd +lat_0={latitude} +lon_0={longitude} +datum=WGS84", always_xy=True
        )
        best = (float("inf"), None)
        for code, geometry in self.levels["state"].items():
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


def ring_faults(places):
    for f in places.features:
        code = f["properties"]["code"]
        geometry = shape(f["geometry"])
        if not geometry.is_valid:
            yield f"{code}: {shapely.is_valid_reason(geometry)}"
        for polygon in f["geometry"]["coordinates"]:
            for position, ring in enumerate(polygon):
                if ring[0] != ring[-1] or len(ring) < 4:
                    yield f"{code}: a ring is open or too short"
                if Polygon(ring).exterior.is_ccw != (position == 0):
                    yield f"{code}: a ring turns the wrong way"
                if any(abs(a[0] - b[0]) > 180 for a, b in itertools.pairwise(ring)):
                    yield f"{code}: a ring crosses the 180th meridian"
                if any(abs(x) > 180 or abs(y) > 90 or round(x, 6) != x or round(y, 6) != y for x, y in ring):
                    yield f"{code}: a coordinate is off the Earth or has more than six decimals"


def border_faults(places):
    states = places.levels["state"]
    for (a, ga), (b, gb) in itertools.combinations(sorted(states.items()), 2):
        if ga.intersects(gb) and ga.intersection(gb).area > 0:
            yield f"{a} and {b} overlap by {ga.intersection(gb).area} square degrees"
    groups = {r["code"]: r["members"].split(",") for r in places.regions}
    unions = {**places.levels["region"], **places.levels["country"]}
    for country in places.levels["country"]:
        groups[country] = [s for s in states if s.startswith(country + "-")]
    for code, members in groups.items():
        total = sum(states[m].area for m in members)
        if abs(unions[code].area - total) > 1e-9:
            yield f"{code}: the union has {unions[code].area}, its members {total} square degrees"
        holes = [Polygon(r).area for p in shapely.get_parts(unions[code]) for r in p.interiors]
        if any(area < 0.001 for area in holes):
            yield f"{code}: slivers {holes}"
    listed = [m for r in places.regions for m in r["members"].split(",")]
    if sorted(listed) != sorted(states):
        yield "regions.tsv does not hold every state once"
    for code, abroad in places.levels["abroad"].items():
        # Its border was cut along the states' and then rounded, so that a millionth of a degree may remain.
        if max(abroad.intersection(s).area for s in states.values()) > 1e-5:
            yield f"{code} overlaps a state"


def table_faults(places):
    for region in places.regions:
        zoneinfo.ZoneInfo(region["zone"])
    for island in places.islands:
        if island["code"] and island["code"] not in places.levels["state"]:
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
    faults = [*ring_faults(places), *border_faults(places), *table_faults(places), *point_faults(places)]
    if options.occurrences:
        faults += occurrence_faults(places, options.occurrences)
    print({level: len(members) for level, members in places.levels.items()}, len(places.islands), "islands")
    print("\n".join(faults) if faults else "places: no fault")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
