"""Builds share/places/places.geojson from Natural Earth.

    python3 build_places.py --natural-earth FOLDER

FOLDER holds, as GeoJSON, the 1:50m first-level regions of the United States and Canada
(`ne_50m_admin1_us_ca_br_au.geojson`) and the 1:110m countries (`ne_110m_countries.geojson`).
Needs shapely 2. The output is the same, byte for byte, for the same input and GEOS version.
"""

import argparse
import csv
import json
import pathlib

import shapely
from shapely.geometry import mapping, shape

SHARE = pathlib.Path(__file__).resolve().parent.parent
DECIMALS = 6
# Parts below this area (square degrees, some 100 m by 100 m) are leftovers of a repaired bow tie.
SLIVER = 1e-6
# Midway is one of the United States Minor Outlying Islands, not part of Hawaii.
MIDWAY = shapely.box(-177.5, 28.1, -177.2, 28.4)
# Land of these countries lies within 50 km of a state; a point on it is abroad, not "nearest".
ABROAD = {"MX": "Mexico", "GL": "Greenland"}
# Where Georgia, North Carolina and South Carolina meet, the source's lines cross by some six metres, which makes Georgia's
# ring cut itself and two states overlap. All three are led through South Carolina's vertex instead.
MEETING_POINT = (-83.121, 35.001)
BESIDE_MEETING_POINT = (-83.115, 35.001)
# A gap between the coarse foreign border and the finer one of the states is filled up to this area.
GAP = 0.5


def features(path):
    with open(path, encoding="utf-8") as file:
        return [(f["properties"], shape(f["geometry"])) for f in json.load(file)["features"]]


def polygons(geometry):
    return [g for g in shapely.get_parts(geometry) if g.geom_type == "Polygon"]


def repaired(geometry, report, code):
    """A valid multipolygon without slivers; the change of area is reported and must be tiny."""
    valid = shapely.make_valid(geometry)
    parts = [p for p in polygons(valid) if p.area >= SLIVER]
    result = shapely.multipolygons(parts)
    if not geometry.is_valid or abs(result.area - geometry.area) > 0:
        report.append(f"repaired {code}: area {geometry.area:.9f} -> {result.area:.9f} square degrees")
    if abs(result.area - geometry.area) > 1e-5:
        raise SystemExit(f"{code}: the repair changed the area too much")
    return result


def with_meeting_point(geometry, code):
    """Georgia's, North Carolina's and South Carolina's lines made one where the three meet."""
    if code not in ("US-GA", "US-NC"):
        return geometry
    outlines = []
    for outline in shapely.get_parts(geometry):
        ring = list(outline.exterior.coords)[:-1]
        if BESIDE_MEETING_POINT in ring:
            at = ring.index(BESIDE_MEETING_POINT)
            ring[at : at + 1] = [] if code == "US-GA" else [BESIDE_MEETING_POINT, MEETING_POINT]
        outlines.append(shapely.Polygon(ring, outline.interiors))
    return shapely.multipolygons(outlines)


def states(folder, report):
    areas = {}
    for properties, geometry in features(folder / "ne_50m_admin1_us_ca_br_au.geojson"):
        if properties["iso_a2"] in ("US", "CA"):
            code = f"{properties['iso_a2']}-{properties['postal']}"
            areas[code] = (properties["name"], repaired(with_meeting_point(geometry, code), report, code))
    name, hawaii = areas["US-HI"]
    kept = [p for p in polygons(hawaii) if not MIDWAY.contains(p)]
    assert len(kept) == len(polygons(hawaii)) - 1, "Midway was expected among Hawaii's polygons"
    areas["US-HI"] = (name, shapely.multipolygons(kept))
    for properties, geometry in features(folder / "ne_110m_countries.geojson"):
        if properties["iso_a2"] == "PR":
            areas["US-PR"] = ("Puerto Rico", repaired(geometry, report, "US-PR"))
    return areas


def union(parts):
    return shapely.multipolygons(polygons(shapely.unary_union(parts)))


def regions(areas):
    with open(SHARE / "places" / "regions.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    members = [code for row in rows for code in row["members"].split(",")]
    if sorted(members) != sorted(areas):
        raise SystemExit(f"regions.tsv and the states differ: {sorted(set(members) ^ set(areas))}")
    return {r["code"]: (r["name"], union([areas[m][1] for m in r["members"].split(",")])) for r in rows}


def abroad(folder, areas):
    home = shapely.unary_union([g for _, g in areas.values()])
    result = {}
    for properties, geometry in features(folder / "ne_110m_countries.geojson"):
        code = properties["iso_a2"]
        if code not in ABROAD:
            continue
        both = shapely.unary_union([home, shapely.make_valid(geometry)])
        already = {shapely.Polygon(r).representative_point().wkb for p in polygons(home) for r in p.interiors}
        holes = [shapely.Polygon(r) for p in polygons(both) for r in p.interiors]
        gaps = [h for h in holes if h.area < GAP and h.representative_point().wkb not in already]
        land = shapely.unary_union([shapely.make_valid(geometry), *gaps]).difference(home)
        parts = [p for p in polygons(land) if p.area >= SLIVER]
        near = [p for p in parts if p.distance(home) < 1]
        result[code] = (ABROAD[code], shapely.multipolygons(near))
    return result


def feature(level, code, name, geometry):
    # Six decimals first, then normal form, so that neither input order nor noise shows in the output.
    rounded = shapely.set_precision(geometry, 10**-DECIMALS)
    parts = [shapely.geometry.polygon.orient(p, 1.0) for p in polygons(shapely.normalize(rounded))]
    outline = shapely.multipolygons(parts)
    coordinates = [
        [[[round(x, DECIMALS), round(y, DECIMALS)] for x, y in ring] for ring in polygon]
        for polygon in mapping(outline)["coordinates"]
    ]
    return {
        "type": "Feature",
        "properties": {"level": level, "code": code, "name": name},
        "geometry": {"type": "MultiPolygon", "coordinates": coordinates},
    }


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--natural-earth", type=pathlib.Path, required=True)
    folder = arguments.parse_args().natural_earth

    report = []
    areas = states(folder, report)
    us = union([g for c, (_, g) in areas.items() if c.startswith("US-")])
    ca = union([g for c, (_, g) in areas.items() if c.startswith("CA-")])
    levels = [
        ("state", areas),
        ("region", regions(areas)),
        ("country", {"US": ("United States", us), "CA": ("Canada", ca)}),
        ("abroad", abroad(folder, areas)),
    ]
    lines = [
        json.dumps(feature(level, code, name, geometry), ensure_ascii=False, separators=(",", ":"))
        for level, members in levels
        for code, (name, geometry) in sorted(members.items())
    ]
    with open(SHARE / "places" / "places.geojson", "w", encoding="utf-8", newline="\n") as file:
        file.write('{"type":"FeatureCollection","features":[\n' + ",\n".join(lines) + "\n]}\n")
    print("\n".join(report))
    print(f"{len(lines)} features: " + ", ".join(f"{len(m)} {level}" for level, m in levels))


if __name__ == "__main__":
    main()
