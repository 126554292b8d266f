"""Builds share/places/borders.tsv from the Digital Chart of the World.

    apt-get install gmt gmt-dcw
    python3 build_places.py

Needs shapely 2.2 (with GEOS 3.14) and numpy. Takes ten minutes. The steps:

1. `gmt coast -M -E…` writes every state, province and land abroad of `areas.tsv`, on a grid of its own of up to 50 m.
2. Outlines are thinned to within 25 m, cleaned into a coverage without gaps and overlaps, and corrected by hand.
3. Its edges are chained into arcs, each shared by the two areas beside it, and pieces of them are simplified to within
   75 m (Douglas and Peucker); those that would cross another or themselves are simplified less.

The output is the same, byte for byte, for the same input and GEOS version.
"""

import csv
import itertools
import math
import pathlib
import subprocess

import numpy
import shapely

PLACES = pathlib.Path(__file__).resolve().parent.parent / "places"
PER_DEGREE = 100_000
METRES_PER_DEGREE = 111_320
THINNED_DEGREES = 0.00025
SIMPLIFIED_METRES = 75
# Gaps between neighbours come from their different grids, of 0.0009 degrees at most.
GAP_DEGREES = 0.0015
SNAPPED_DEGREES = 0.00002
# A place on a smaller island is within 100 m of the sea anyway: it has the nearest state.
LEAST_SQUARE_METRES = 15_000
# Of land abroad only what is within 50 km of a state is needed: west, south, east, north, longitudes to the east.
CLIPPED = {"MX": (241, 24.9, 263.5, 33), "GL": (285, 75, 302, 84), "RU": (190.5, 65.5, 191.5, 66.1)}
# Islands that the chart gives to the wrong area: a point on each, from, to, and the radius if it is no part of its own.
CORRECTED = [
    # All islands of James Bay are Nunavut's.
    (278.7, 53.0, "CA-ON", "CA-NU", None),
    # An exclave of New York in New Jersey's waters.
    (285.9555, 40.6893, "US-NJ", "US-NY", 250),
]

# The states that long coasts abroad are near, and how near they matter: 50 km are less than 0.6 degrees of latitude.
COASTS_ABROAD = {"MX": ("US-AZ", "US-CA", "US-NM", "US-TX"), "GL": ("CA-NU",)}
NEAR_DEGREES = 0.62
# Arcs are cut into pieces of so many edges, so that only those that cross are simplified less.
PIECE = 400


def chart_code(code):
    """US-TX is US.TX in the chart; Puerto Rico and land abroad are countries."""
    return code[3:] if code == "US-PR" else code.replace("-", ".")


def outline(code):
    text = subprocess.run(
        ["gmt", "coast", "-M", f"-E{chart_code(code)}"], check=True, capture_output=True, text=True
    ).stdout
    parts = []
    for block in text.split(">")[1:]:
        numbers = numpy.array(block.split("\n", 1)[1].split(), dtype=float).reshape(-1, 2)
        if len(numbers) >= 4:
            thinned = shapely.simplify(shapely.Polygon(numbers), THINNED_DEGREES)
            parts.append(shapely.make_valid(thinned))
    if code in CLIPPED:
        window = shapely.box(*CLIPPED[code])
        parts = [p.intersection(window) for p in parts if p.intersects(window)]
    # A ring within another is a hole.
    outer, inner = shapely.STRtree(parts).query(parts, predicate="contains_properly")
    holes = {int(i) for o, i in zip(outer, inner) if o != i}
    land = shapely.unary_union([p for i, p in enumerate(parts) if i not in holes])
    return multipolygon(land.difference(shapely.unary_union([parts[i] for i in sorted(holes)])))


def multipolygon(geometry):
    return shapely.multipolygons([p for p in shapely.get_parts(geometry) if p.geom_type == "Polygon"])


def correct(areas):
    for x, y, giver, taker, radius in CORRECTED:
        point = shapely.Point(x, y)
        if radius is None:
            piece = next(p for p in shapely.get_parts(areas[giver]) if p.contains(point))
        else:
            circle = shapely.Point(0, 0).buffer(radius / METRES_PER_DEGREE, quad_segs=4)
            scale = [math.cos(math.radians(y)), 1]
            piece = shapely.transform(circle, lambda c: c / scale + [x, y]).intersection(areas[giver])
        areas[giver] = multipolygon(areas[giver].difference(piece))
        areas[taker] = shapely.multipolygons([*shapely.get_parts(areas[taker]), piece])


def cut(areas):
    """Leaves out what is far from every state."""
    for code, near in COASTS_ABROAD.items():
        zone = [areas[c].simplify(0.03).buffer(NEAR_DEGREES, quad_segs=3) for c in near]
        areas[code] = multipolygon(areas[code].intersection(shapely.unary_union(zone)))


def shared_edges(areas):
    """All edges once, as two points each, in whole units, and the numbers of the areas to their left and right (0: none).

    The left one has the higher number, so that all edges between two areas have the same direction."""
    parts, owners = shapely.get_parts(list(areas.values()), return_index=True)
    rings, part_of = shapely.get_rings(shapely.orient_polygons(parts), return_index=True)
    coordinates, ring_of = shapely.get_coordinates(rings, return_index=True)
    points = numpy.rint(coordinates * PER_DEGREE).astype(numpy.int64)
    ids = points[:, 0] << 32 | (points[:, 1] + (90 * PER_DEGREE))
    same = (ring_of[1:] == ring_of[:-1]) & (ids[1:] != ids[:-1])
    start, end, owner = ids[:-1][same], ids[1:][same], owners[part_of[ring_of[:-1]]][same] + 1
    low, high, is_up = numpy.minimum(start, end), numpy.maximum(start, end), start < end
    order = numpy.lexsort((is_up, high, low))
    low, high, is_up, owner = low[order], high[order], is_up[order], owner[order]
    first = numpy.flatnonzero(numpy.r_[True, (low[1:] != low[:-1]) | (high[1:] != high[:-1])])
    # An edge that is in a ring on its left and in another on its right, or in one alone. There and back along the same
    # edge encloses nothing.
    left = numpy.maximum.reduceat(numpy.where(is_up, owner, 0), first)
    right = numpy.maximum.reduceat(numpy.where(is_up, 0, owner), first)
    low, high, border = low[first], high[first], left != right
    low, high, left, right = low[border], high[border], left[border], right[border]
    turned = left < right
    low, high = numpy.where(turned, high, low), numpy.where(turned, low, high)
    left, right = numpy.maximum(left, right), numpy.minimum(left, right)
    both = numpy.stack([low, high], axis=1)
    return numpy.stack([both >> 32, (both & 0xFFFFFFFF) - 90 * PER_DEGREE], axis=2), left, right


def arcs(edges, left, right):
    """Chains of edges between the same two areas, cut into pieces, as (left, right, points)."""
    pairs = left.astype(int) << 8 | right
    for pair in numpy.unique(pairs):
        own = shapely.linestrings(edges[pairs == pair])
        for line in shapely.get_parts(shapely.line_merge(shapely.multilinestrings(own), directed=True)):
            points = shapely.get_coordinates(line)
            if is_large(points):
                for first in range(0, len(points) - 1, PIECE):
                    yield int(pair) >> 8, int(pair) & 255, points[first : first + PIECE + 1]


def is_large(line):
    scale = [math.cos(math.radians(line[0, 1] / PER_DEGREE)), 1]
    area = shapely.Polygon(line * scale).area if len(line) > 3 and (line[0] == line[-1]).all() else math.inf
    return area * (METRES_PER_DEGREE / PER_DEGREE) ** 2 >= LEAST_SQUARE_METRES


def simplified(lines, metres):
    """Lines in units, each measured by the widest parallel that it meets: distances are never too small."""
    points, line_of = shapely.get_coordinates(lines, return_index=True)
    least = numpy.minimum.reduceat(numpy.abs(points[:, 1]), numpy.flatnonzero(numpy.diff(line_of, prepend=-1)))
    scale = numpy.stack([numpy.cos(numpy.radians(least / PER_DEGREE)), numpy.ones(len(least))], axis=1)
    flat = shapely.linestrings(points * scale[line_of], indices=line_of)
    kept = shapely.simplify(flat, numpy.asarray(metres) * PER_DEGREE / METRES_PER_DEGREE, preserve_topology=False)
    points, line_of = shapely.get_coordinates(kept, return_index=True)
    return shapely.linestrings(numpy.rint(points / scale[line_of]), indices=line_of)


def without_crossings(lines):
    metres = numpy.full(len(lines), float(SIMPLIFIED_METRES))
    result = simplified(lines, metres)
    suspect = numpy.arange(len(lines))
    while True:
        tree = shapely.STRtree(result)
        closed = shapely.is_closed(result) & (shapely.get_num_coordinates(result) < 4)
        bad = set(numpy.flatnonzero(~shapely.is_simple(result) | closed).tolist())
        for predicate in ("crosses", "overlaps", "covers"):
            one, other = tree.query(result[suspect], predicate=predicate)
            differ = suspect[one] != other
            bad.update(suspect[one][differ].tolist(), other[differ].tolist())
        suspect = numpy.array(sorted(i for i in bad if metres[i] > 0), dtype=int)
        print(f"{shapely.get_num_coordinates(result).sum()} points, {len(suspect)} pieces cross", flush=True)
        if not len(suspect):
            return result
        metres[suspect] = numpy.where(metres[suspect] > 5, metres[suspect] / 2, 0)
        result[suspect] = simplified(lines[suspect], metres[suspect])


def encoded(line):
    """Google's encoded polyline: differences of latitude and longitude, five bits a character."""
    text = []
    for before, (x, y) in itertools.pairwise([(0, 0), *line]):
        for number in (y - before[1], x - before[0]):
            number = number << 1 if number >= 0 else ~(number << 1)
            while number >= 32:
                text.append(chr((32 | number & 31) + 63))
                number >>= 5
            text.append(chr(number + 63))
    return "".join(text)


def main():
    with open(PLACES / "areas.tsv", encoding="utf-8", newline="") as file:
        codes = sorted(row["code"] for row in csv.DictReader(file, delimiter="\t"))
    outlines = [outline(code) for code in codes]
    cleaned = shapely.coverage_clean(outlines, gap_width=GAP_DEGREES, snapping_distance=SNAPPED_DEGREES)
    areas = dict(zip(codes, cleaned))
    correct(areas)
    cut(areas)
    pieces = list(arcs(*shared_edges(areas)))
    names = ["", *codes]
    rows = []
    for (left, right, _), line in zip(pieces, without_crossings(numpy.array([shapely.linestrings(p) for _, _, p in pieces]))):
        points = shapely.get_coordinates(line).astype(int).tolist()
        west = [(x - 360 * PER_DEGREE if x > 180 * PER_DEGREE else x, y) for x, y in points]
        assert all(abs(a[0] - b[0]) < 180 * PER_DEGREE for a, b in itertools.pairwise(west)), "across the meridian"
        rows.append((names[left], names[right], encoded(west)))
    with open(PLACES / "borders.tsv", "w", encoding="ascii", newline="\n") as file:
        file.write("left\tright\tline\n" + "".join("\t".join(row) + "\n" for row in sorted(rows)))


if __name__ == "__main__":
    main()
