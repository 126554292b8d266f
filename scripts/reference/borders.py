"""Where the end of a range in a region is the region's border.

The borders are those of share/places: pieces with the areas to the left and to the right, empty for the sea. A border
of a region is a piece between it and other land, in another region or abroad.
"""

import csv

import numpy as np
from pyproj import Geod
from shapely import LineString, Point, Polygon, STRtree, box

import cells as grid
from margins import outward
from occurrences import PLACES

REACH = 25_000
# Metres in a degree of longitude at the equator, and the spheroid's radii.
DEGREE = 111_320
_ELLIPSOID = Geod(ellps="WGS84")


class Borders:
    """The borders of all regions."""

    def __init__(self, folder=PLACES):
        lines = {}
        regions = _regions(folder)
        with open(folder / "borders.tsv", encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                sides = {regions.get(row["left"]), regions.get(row["right"])}
                # The sea is not land, and borders within a region are not borders of it.
                if not (row["left"] and row["right"]) or len(sides) == 1:
                    continue
                line = LineString(decoded(row["line"]))
                for region in sides - {None}:
                    lines.setdefault(region, []).append(line)
        self._trees = {region: STRtree(pieces) for region, pieces in lines.items()}
        self._known = {}

    def is_truncated(self, region, found, end, side, others):
        """Whether an end of a region's occupied cells is its border.

        `others` are the occupied cells of the other regions, and of none, in the same period.
        """
        cells = grid.margin(found, end)
        return any(self._is_near(region, cell, end, side) for cell in cells) or _goes_on(cells, end, side, others)

    def _is_near(self, region, cell, end, side):
        key = region, *cell.tolist(), end, side
        if key not in self._known:
            self._known[key] = self._distance(region, cell, end, side) <= REACH + side / 2
        return self._known[key]

    def _distance(self, region, cell, end, side):
        """Metres from the centre of a cell to the part of the border ahead; infinite where it is out of reach."""
        latitude, longitude = (float(degrees[0]) for degrees in grid.centres(cell.reshape(1, 2), side))
        reach = REACH + side / 2
        if region not in self._trees or abs(latitude) == 90:
            return np.inf
        tree = self._trees[region]
        north, east = reach / 110_000, reach / (110_000 * np.cos(np.radians(latitude)))
        near = tree.query(box(longitude - east, latitude - north, longitude + east, latitude + north))
        # The triangle holds all that is ahead, at most 45 degrees to either side, and within reach.
        ahead = Polygon([(0, 0), (2 * reach, 2 * reach), (-2 * reach, 2 * reach)])
        parts = (
            LineString(plane(latitude, longitude, end, *tree.geometries[number].xy[::-1])).intersection(ahead)
            for number in near)
        return min((Point(0, 0).distance(part) for part in parts if not part.is_empty), default=np.inf)


def plane(latitude, longitude, end, latitudes, longitudes):
    """Metres to the east and ahead of a place, in the plane around it."""
    x = (np.remainder(np.asarray(longitudes) - longitude + 180, 360) - 180) * DEGREE * np.cos(np.radians(latitude))
    # The radius of curvature of the meridian.
    sine = np.sin(np.radians(latitude))
    radius = _ELLIPSOID.a * (1 - _ELLIPSOID.es) / (1 - _ELLIPSOID.es * sine ** 2) ** 1.5
    return np.column_stack([x, (np.asarray(latitudes) - latitude) * np.radians(radius) * outward(end)])


def _goes_on(cells, end, side, others):
    """Whether the centre of one of the others is ahead of a cell, at most 45 degrees to either side."""
    if len(others) == 0:
        return False
    latitudes, longitudes = grid.centres(others, side)
    for latitude, longitude in zip(*grid.centres(cells, side)):
        x, y = plane(latitude, longitude, end, latitudes, longitudes).T
        if np.any((y > 0) & (np.abs(x) <= y)):
            return True
    return False


def decoded(text):
    """The points of an encoded polyline, longitude first."""
    value, shift, numbers = 0, 0, []
    for byte in text.encode():
        value |= (byte - 63 & 31) << shift
        shift += 5
        if byte - 63 < 32:
            numbers.append(~(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    latitudes, longitudes = np.cumsum(numbers[::2]) / 1e5, np.cumsum(numbers[1::2]) / 1e5
    return np.column_stack([longitudes, latitudes])


def _regions(folder):
    """The region of each state."""
    with open(folder / "regions.tsv", encoding="utf-8") as file:
        return {
            state: row["code"] for row in csv.DictReader(file, delimiter="\t") for state in row["members"].split(",")}
