"""Where a range ends: the figures of the occupied cells of one region and period.

Each function returns a value and the reason for which there is none; one of the two is None.
"""

import numpy as np
from scipy import stats

import cells as grid

FEWEST = 20
# The logarithm of the mean minus the mean of the logarithms: up to this difference, distances are nearly equal.
LEAST_SPREAD = 5e-7


def outward(end):
    return 1 if end == "north" else -1


def extreme(latitudes, ids, end):
    """The outermost record, among equals that with the smallest id."""
    if len(latitudes) == 0:
        return None, "noRecords"
    outermost = latitudes.max() if end == "north" else latitudes.min()
    smallest = min(ids[place] for place in np.flatnonzero(latitudes == outermost))
    return {"latitude": float(outermost), "sightingId": smallest}, None


def mean_of_ten(found, end, side):
    if len(found) < FEWEST:
        return None, "fewCells" if len(found) else "noRecords"
    return float(grid.row_latitudes(grid.margin(found, end)[:, 0], side).mean()), None


def percentile(found, share, side):
    """R type 7, of the latitudes of the cells."""
    if len(found) == 0:
        return None, "noRecords"
    return float(np.quantile(grid.row_latitudes(found[:, 0], side), share)), None


def reference(found, end, side):
    """Metres from the equator to the inner edge of the row of the most distant cell; None without cells."""
    if len(found) == 0:
        return None
    return float(found[:, 0].min() * side if end == "north" else (found[:, 0].max() + 1) * side)


def gamma95(found, end, side, start):
    """The 95th percentile of a gamma distribution of the distances from `start`, as an object of the API."""
    if len(found) < FEWEST:
        return None, "fewCells" if len(found) else "noRecords"
    arcs = (found[:, 0] + 0.5) * side
    distances = (arcs - start) * outward(end)
    if np.log(distances.mean()) - np.log(distances).mean() <= LEAST_SPREAD:
        return None, "noSpread"
    shape, _, scale = stats.gamma.fit(distances, floc=0)
    arc = start + stats.gamma.ppf(0.95, shape, scale=scale) * outward(end)
    if abs(arc) > grid.POLE:
        return None, "beyondPole"
    outermost = arcs.max() if end == "north" else arcs.min()
    return {
        "latitude": float(grid.latitude_at(arc)), "shape": float(shape), "scale": float(scale),
        "reference": float(grid.latitude_at(start)), "cells": len(found),
        "beyondData": bool((arc - outermost) * outward(end) > 0),
    }, None


def centroid(found, side):
    """The direction of the mean of the unit vectors of the cells' centres."""
    if len(found) == 0:
        return None, "noRecords"
    latitudes, longitudes = (np.radians(degrees) for degrees in grid.centres(found, side))
    x = (np.cos(latitudes) * np.cos(longitudes)).sum()
    y = (np.cos(latitudes) * np.sin(longitudes)).sum()
    z = np.sin(latitudes).sum()
    across = np.hypot(x, y)
    if np.hypot(across, z) <= 1e-9 * len(found):
        return None, "noCentre"
    longitude = np.degrees(np.arctan2(y, x)) if across > 1e-12 * len(found) else 0
    return {"latitude": float(np.degrees(np.arctan2(z, across))), "longitude": float(longitude)}, None


METRICS = ("meanOf10Cells", "gamma95", "q05", "extreme")


def value(metric, end, latitudes, ids, found, side, start):
    """The latitude that a trend takes, of one period."""
    if metric == "meanOf10Cells":
        return mean_of_ten(found, end, side)
    if metric == "q05":
        return percentile(found, 0.05 if end == "south" else 0.95, side)
    figure, reason = (
        gamma95(found, end, side, start) if metric == "gamma95" else extreme(latitudes, ids, end))
    return (figure["latitude"], None) if figure else (None, reason)
