"""The effort behind a trend, from the complete visits of a survey export."""

import csv
import hashlib
import io
import zipfile
from collections import namedtuple

import numpy as np

import cells as grid
import margins
import occurrences
import trend
from table import ALL

FEWEST_IN_CELL = 3
FEWEST_IN_PERIOD = 30
DRAWS = 199
# Of the cells of a survey export, in metres.
SIDE = 10_000
# From the outermost inwards, with the outer edge of each in kilometres from the margin.
BANDS = ("beyond100Km", "beyondTo100Km", "insideTo100Km", "insideTo200Km", "inside200Km")

# `latitude` is that of the centre of the visit's cell; `places` are those of the taxon's records in the export.
Visit = namedtuple("Visit", "id period cell latitude list_length places")


def visits_by_key(path):
    """The visit of each record of a survey export, by its occurrenceID."""
    with zipfile.ZipFile(path) as archive:
        return {row["occurrenceID"]: row["visit"] for row in _rows(archive, "detections.csv")}


def visits(path, table, region):
    """The complete visits of a survey export whose time fits a period, with the records of a table that count.

    The export has the cell of 10 km with most of the records. The cell of another side is known only if every visit was
    at one place, and the side is a multiple of 10 km.
    """
    found, rule = table.found, table.rule
    if rule.side % SIDE:
        raise ValueError(f"cells of visits are known for sides that are multiples of {SIDE} m, not {rule.side}")
    known, detections = visits_by_key(path), {}
    for place, key in enumerate(found.keys):
        if key in known and table.counted[place] and region in (ALL, found.regions[place]):
            detections.setdefault(known[key], []).append(place)
    with zipfile.ZipFile(path) as archive:
        complete = [row for row in _rows(archive, "visits.csv") if row["complete"] == "true"]
    chosen = []
    for row in complete:
        first, last = (occurrences.days(row[name], "UTC") for name in ("from", "to"))
        period = occurrences.period((first[0], last[1]), rule.period)
        if period == occurrences.NO_PERIOD or not row["cellLatitude"]:
            continue
        latitude, longitude = float(row["cellLatitude"]), float(row["cellLongitude"])
        cell = tuple(grid.cells([latitude], [longitude], rule.side)[0].tolist())
        chosen.append(Visit(
            row["visit"], period, cell, float(grid.row_latitudes(cell[0], rule.side)), int(row["listLength"]),
            detections.get(row["visit"], [])))
    return chosen


def _rows(archive, name):
    with archive.open(name) as file:
        yield from csv.DictReader(io.TextIOWrapper(file, "utf-8", newline=""))


def by_period(chosen):
    divided = {}
    for visit in chosen:
        divided.setdefault(visit.period, []).append(visit)
    return dict(sorted(divided.items()))


class Question:
    """The figure of an end, computed from records of visits. Gamma-95 keeps the reference of the raw series."""

    def __init__(self, table, region, end, metric):
        self.table, self.end, self.metric = table, end, metric
        self.start = table.references.get(region, {}).get(end)

    def value(self, places):
        table, places = self.table, np.unique(np.asarray(places, np.int64))
        return margins.value(
            self.metric, self.end, table.found.latitudes[places], [table.found.ids[place] for place in places],
            table.occupied(places), table.rule.side, self.start)


def well_sampled(chosen, question, truncated=()):
    """The trend in cells with at least three visits in at least two thirds of the periods with visits."""
    periods = by_period(chosen)
    often = {}
    for divided in periods.values():
        counts = {}
        for visit in divided:
            counts[visit.cell] = counts.get(visit.cell, 0) + 1
        for cell, count in counts.items():
            often[cell] = often.get(cell, 0) + (count >= FEWEST_IN_CELL)
    cells = {cell for cell, count in often.items() if 3 * count >= 2 * len(periods)}
    points = [
        (period, *question.value([place for visit in divided if visit.cell in cells for place in visit.places]))
        for period, divided in periods.items()]
    found, reason = trend.of(points, question.table.rule.period, truncated)
    if not chosen or not cells:
        found, reason = None, "noVisits" if not chosen else "noWellSampledCells"
    return {"cells": len(cells), "series": points, "trend": (found, reason)}


def draw(ids, seed, k, count):
    """The first visits in the order of SHA-256 of seed, draw and visit."""
    return sorted(ids, key=lambda v: (hashlib.sha256(f"{seed}/{k}/{v}".encode()).digest(), v))[:count]


def rarefied(chosen, question, seed, truncated=()):
    """The trend when every period has as few visits as the poorest one that takes part."""
    periods = by_period(chosen)
    rich = {period: divided for period, divided in periods.items() if len(divided) >= FEWEST_IN_PERIOD}
    count = min(map(len, rich.values()), default=0)
    points = [(period, *_median_of_draws(divided, question, seed, count)) for period, divided in rich.items()]
    found, reason = trend.of(points, question.table.rule.period, truncated)
    if not rich:
        found, reason = None, "fewVisits" if chosen else "noVisits"
    return {
        "count": count, "poor": [period for period in periods if period not in rich], "series": points,
        "trend": (found, reason)}


def _median_of_draws(divided, question, seed, count):
    """The median over the draws with a value, which must be at least half of them."""
    places = {visit.id: visit.places for visit in divided}
    values = []
    for k in range(1, DRAWS + 1):
        drawn = draw(places, seed, k, count)
        value, _ = question.value([place for visit in drawn for place in places[visit]])
        if value is not None:
            values.append(value)
    return (float(np.median(values)), None) if 2 * len(values) >= DRAWS else (None, "fewDraws")


def bands(chosen, end, points):
    """Visits, detections and mean list length by period and band of 100 km, counted from the median of a series."""
    values = [value for _, value, _ in points if value is not None]
    if not values:
        return []
    margin, rows = grid.arc(np.median(values)), []
    for period, divided in by_period(chosen).items():
        found = {}
        for visit in divided:
            beyond = float(grid.arc(visit.latitude) - margin) * margins.outward(end) / 1000
            found.setdefault(_band(beyond), []).append(visit)
        rows += [
            {"period": period, "band": band, "visits": len(found[band]),
             "detections": sum(bool(visit.places) for visit in found[band]),
             "listLength": float(np.mean([visit.list_length for visit in found[band]]))}
            for band in BANDS if band in found]
    return rows


def _band(kilometres):
    """The band of a distance beyond the margin. The outermost has its inner edge, the others their outer one."""
    if kilometres >= 100:
        return BANDS[0]
    inner = (0, -100, -200)
    return next((band for band, edge in zip(BANDS[1:], inner) if kilometres > edge), BANDS[-1])
