"""Margin cells: rows along the meridian from the equator, columns along the parallel from -180 degrees.

This is the ellipsoidal sinusoidal projection, which PROJ has.
"""

import numpy as np
from pyproj import Proj

# Longitudes are counted from -180: `+over` keeps those above 180 as they are.
_SINUSOIDAL = Proj("+proj=sinu +ellps=WGS84 +over")
POLE = _SINUSOIDAL(0, 90)[1]


def arc(latitudes):
    """Metres along the meridian from the equator."""
    return np.asarray(_SINUSOIDAL(np.zeros_like(np.asarray(latitudes, float)), latitudes)[1])


def latitude_at(metres):
    """The latitude in degrees at the end of an arc; a pole for one that reaches beyond it."""
    metres = np.clip(np.asarray(metres, float), -POLE, POLE)
    return np.asarray(_SINUSOIDAL(np.zeros_like(metres), metres, inverse=True)[1])


def cells(latitudes, longitudes, side):
    """The row and the column of each place, for cells of a side in metres, as an array of two columns."""
    x, y = _SINUSOIDAL(np.asarray(longitudes, float) + 180, np.asarray(latitudes, float))
    return np.floor(np.column_stack([y, x]) / side).astype(np.int64)


def occupied(places):
    """Cells, each once, from south to north and within a row from west to east."""
    return np.unique(places, axis=0) if len(places) else places.reshape(0, 2)


def row_latitudes(rows, side):
    """The latitudes of the centres of rows."""
    return latitude_at((np.asarray(rows) + 0.5) * side)


def centres(found, side):
    """The latitudes and longitudes of the centres of cells."""
    latitudes = row_latitudes(found[:, 0], side)
    degree = np.asarray(_SINUSOIDAL(np.ones_like(latitudes), latitudes)[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        longitudes = np.minimum((found[:, 1] + 0.5) * side / degree - 180, 180)
    # At a pole every longitude is the same place.
    return latitudes, np.where(np.abs(latitudes) == 90, 0, longitudes)


def margin(found, end):
    """The ten most extreme of the occupied cells, within a row from west to east."""
    if end == "south":
        return found[:10]
    return found[np.lexsort((found[:, 1], -found[:, 0]))][:10]
