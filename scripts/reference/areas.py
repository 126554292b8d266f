"""How large a range is: the convex hull, the extent of occurrence and the area of occupancy."""

import numpy as np
from pyproj import Geod, Transformer
from shapely import MultiPoint

_WGS84 = Geod(ellps="WGS84")
_EQUAL_AREA = Transformer.from_crs("EPSG:4326", "EPSG:6933", always_xy=True)
# Corners are at whole ten-millionths of a degree, in which being on one line is exact.
_UNITS = 10_000_000
_HALF_TURN = 180 * _UNITS


def hull_km2(latitudes, longitudes):
    """The area of the convex hull in longitude and latitude, with geodesic edges; and the reason if there is none."""
    if len(latitudes) == 0:
        return None, "noRecords"
    y = np.rint(latitudes * _UNITS).astype(np.int64)
    x = _cut(np.rint(longitudes * _UNITS).astype(np.int64))
    if x.max() - x.min() > _HALF_TURN:
        return None, "tooWide"
    hull = MultiPoint(np.unique(np.column_stack([x, y]), axis=0)).convex_hull
    if hull.geom_type != "Polygon":
        return None, "fewPoints"
    corners = np.asarray(hull.exterior.coords) / _UNITS
    area, _ = _WGS84.polygon_area_perimeter(corners[:, 0], corners[:, 1])
    return abs(area) / 1e6, None


def _cut(x):
    """Moves longitudes west of the widest gap by a full turn; the westernmost gap counts among equals."""
    x = np.where(x == _HALF_TURN, -_HALF_TURN, x)
    east = np.unique(x)
    # The first gap is the one over the 180th meridian, which needs no cut.
    gaps = np.concatenate([[east[0] + 2 * _HALF_TURN - east[-1]], np.diff(east)])
    return np.where(x < east[np.argmax(gaps)], x + 2 * _HALF_TURN, x)


def extent(latitudes, longitudes, occupancy):
    """The extent of occurrence, as an object of the API."""
    area, reason = hull_km2(latitudes, longitudes)
    if area is not None:
        return {"km2": area, "iucnKm2": max(area, occupancy["km2"]), "reason": None}
    return {"km2": None, "iucnKm2": occupancy["km2"] if reason == "fewPoints" else None, "reason": reason}


def occupancy(latitudes, longitudes):
    """The area of occupancy in cells of 2 km, as an object of the API, and the reason if there is none."""
    if len(latitudes) == 0:
        return None, "noRecords"
    return grid_area(*_EQUAL_AREA.transform(longitudes, latitudes)), None


def grid_area(x, y, side=2000, shifts=4):
    """The area of occupied cells, and the least and the most when the grid is shifted in both directions."""
    steps = np.arange(shifts) * side / shifts
    counts = [
        len(np.unique(np.floor((x - east) / side) + 1j * np.floor((y - north) / side)))
        for north in steps for east in steps]
    cell = (side / 1000) ** 2
    return {"km2": counts[0] * cell, "minKm2": min(counts) * cell, "maxKm2": max(counts) * cell}
