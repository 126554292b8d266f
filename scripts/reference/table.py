"""The table of ranges: a row for each region and period with records, counted or left out."""

from collections import Counter, namedtuple

import numpy as np

import areas
import cells as grid
import margins
import occurrences
from occurrences import NO_PERIOD

ENDS = ("south", "north")
QUANTILES = {"south": (("q05", 0.05), ("q10", 0.1)), "north": (("q95", 0.95), ("q90", 0.9))}
ALL = ""

# Which records count, and how they are divided. `side` is in metres.
Rule = namedtuple(
    "Rule", "period side uncertainty confidence captive end region",
    defaults=(None, False, None, None))


class Table:
    """The records of a taxon, divided by region and period."""

    def __init__(self, found, rule, borders, visits=None):
        """`visits` has the visits of records by their occurrenceIDs; None where visits are not known."""
        self.found, self.rule, self.borders, self.visits = found, rule, borders, visits
        self.regions = np.array(found.regions)
        self.periods = np.array([occurrences.period(span, rule.period) for span in found.days], np.int64)
        self.reasons = _reasons(found, rule, self.periods)
        self.counted = np.array([reason is None for reason in self.reasons], bool)
        self.cells = np.zeros((len(found.ids), 2), np.int64)
        self.cells[self.counted] = grid.cells(
            found.latitudes[self.counted], found.longitudes[self.counted], rule.side)
        # Of each region and period, all records as ALL, the places of the records in the list.
        self.groups = {}
        for place, (region, period) in enumerate(zip(found.regions, self.periods.tolist())):
            self.groups.setdefault((ALL, period), []).append(place)
            if region != ALL:
                self.groups.setdefault((region, period), []).append(place)
        self.references = {
            region: {end: margins.reference(self.occupied(self._of(region)), end, rule.side) for end in ENDS}
            for region in {region for region, _ in self.groups}}

    def rows(self):
        """The rows in the order of the API."""
        asked = (key for key in sorted(self.groups) if key[0] in (ALL, self.rule.region) or self.rule.region is None)
        return [self._row(*key) for key in asked]

    def ends(self):
        return [end for end in ENDS if self.rule.end in (None, end)]

    def records(self, region):
        """The places of the records of a region that count, by period."""
        divided = {
            period: self._counted(places) for (of, period), places in sorted(self.groups.items()) if of == region}
        return {period: places for period, places in divided.items() if len(places)}

    def occupied(self, places):
        return grid.occupied(self.cells[places])

    def is_truncated(self, region, period, end):
        """Whether an end is the region's border; all records together have none."""
        if region == ALL:
            return False
        everyone = self._counted(self.groups[ALL, period])
        others = everyone[self.regions[everyone] != region]
        found = self.occupied(self._counted(self.groups[region, period]))
        return self.borders.is_truncated(region, found, end, self.rule.side, self.occupied(others))

    def _of(self, region):
        every = self.counted if region == ALL else self.counted & (self.regions == region)
        return np.flatnonzero(every)

    def _counted(self, places):
        places = np.asarray(places, np.int64)
        return places[self.counted[places]]

    def _row(self, region, period):
        places, side = self._counted(self.groups[region, period]), self.rule.side
        latitudes, longitudes = self.found.latitudes[places], self.found.longitudes[places]
        ids = [self.found.ids[place] for place in places]
        found, missing = self.occupied(places), []

        def noted(member, answer):
            value, reason = answer
            if reason is not None:
                missing.append({"member": member, "reason": reason})
            return value

        row = {
            "region": region or "all", **span(period, self.rule.period), "records": len(places), "cells": len(found),
            "observers": len({self.found.observers[place] for place in places} - {""}),
            "visits": None if self.visits is None else len(
                {self.visits.get(self.found.keys[place]) for place in places} - {None}),
            "generalised": int(self.found.generalised[places].sum()),
            # The CSV has none of them.
            "notInExports": 0,
        }
        for end in self.ends():
            start = self.references[region][end]
            row[end] = {
                "extreme": noted(f"{end}.extreme", margins.extreme(latitudes, ids, end)),
                "meanOf10Cells": noted(f"{end}.meanOf10Cells", margins.mean_of_ten(found, end, side)),
                "gamma95": noted(f"{end}.gamma95", margins.gamma95(found, end, side, start)),
                **{name: noted(f"{end}.{name}", margins.percentile(found, share, side))
                   for name, share in QUANTILES[end]},
                "truncated": noted(
                    f"{end}.truncated",
                    (self.is_truncated(region, period, end), None) if len(places) else (None, "noRecords")),
            }
        row["q50"] = noted("q50", margins.percentile(found, 0.5, side))
        row["centroid"] = noted("centroid", margins.centroid(found, side))
        occupancy, none = areas.occupancy(latitudes, longitudes)
        if region == ALL:
            row["eoo"] = areas.extent(latitudes, longitudes, occupancy)
            noted("eoo", (None, row["eoo"]["reason"]))
        else:
            row["hullKm2"] = noted("hullKm2", areas.hull_km2(latitudes, longitudes))
        row["aoo"] = noted("aoo", (occupancy, none))
        left = Counter(self.reasons[place] for place in self.groups[region, period])
        row["leftOut"] = [{"reason": reason, "records": left[reason]} for reason in _REASONS if left[reason]]
        row["missing"] = missing
        return row


def span(period, kind):
    """The members of a period."""
    if kind == "week-of-year":
        return {"week": None if period == NO_PERIOD else period}
    last = period + (4 if kind == "5-year" else 0)
    return {"from": None, "to": None} if period == NO_PERIOD else {"from": period, "to": last}


_REASONS = ("captive", "qualified", "uncertain", "noPlace", "noConfidence", "lowConfidence", "period", "pending")


def _reasons(found, rule, periods):
    """The first reason for which each record does not count; None for those that count."""
    asks = rule.confidence is not None
    applies = {
        "captive": found.captive & (not rule.captive),
        "qualified": found.qualified,
        "uncertain": found.uncertainties > rule.uncertainty,
        "noPlace": np.isnan(found.latitudes),
        "noConfidence": np.isnan(found.confidences) & asks,
        "lowConfidence": found.confidences < (rule.confidence if asks else 0),
        "period": periods == NO_PERIOD,
        "pending": found.pending,
    }
    matrix = np.column_stack([applies[reason] for reason in _REASONS])
    first = np.where(matrix.any(axis=1), matrix.argmax(axis=1), len(_REASONS))
    return [(*_REASONS, None)[number] for number in first.tolist()]
