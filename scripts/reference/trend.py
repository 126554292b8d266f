"""The trend of an end of a range: the slope of a series, and whether it remains after correction for effort."""

import numpy as np
import pymannkendall
from scipy import stats

import cells as grid

FEWEST_PERIODS = 8


def middle(period, kind):
    """The year that stands for a period."""
    return period + 2.0 if kind == "5-year" else float(period)


def of(points, kind, truncated=()):
    """The trend of a series, and the reason if there is none.

    `points` are triples of a period, its value and the reason for which it has none.
    """
    if kind == "week-of-year":
        return None, "weekOfYear"
    if any(period in truncated for period, _, _ in points):
        return None, "truncated"
    valued = [(middle(period, kind), value) for period, value, _ in sorted(points) if value is not None]
    if len(valued) < FEWEST_PERIODS:
        return None, "fewPeriods"
    years, values = (np.array(column) for column in zip(*valued))
    line = stats.theilslopes(values, years, 0.95, method="separate")
    test = pymannkendall.original_test(values)
    residuals = values - line.intercept - line.slope * years
    return {
        "n": len(values), "slope": _interval(line),
        "slopeKm": _interval(stats.theilslopes(grid.arc(values) / 1000, years, 0.95, method="separate")),
        # The score is known exactly: test.p has few digits where it is small.
        "p": float(2 * stats.norm.sf(abs(test.z))), "tau": float(test.Tau),
        "autocorrelation": _autocorrelation(years, residuals, 5 if kind == "5-year" else 1),
    }, None


def _interval(line):
    return {
        "perDecade": float(line.slope * 10), "low": float(line.low_slope * 10), "high": float(line.high_slope * 10)}


def _autocorrelation(years, residuals, length):
    """Of neighbouring periods; a pair across a gap has no product."""
    residuals = residuals - residuals.mean()
    squares = (residuals ** 2).sum()
    # Residuals of rounding alone.
    if squares <= 1e-18 * len(years):
        return {"lag1": None, "warning": False}
    neighbours = np.diff(years) == length
    lag1 = float((residuals[1:] * residuals[:-1])[neighbours].sum() / squares)
    return {"lag1": lag1, "warning": bool(lag1 > 2 / np.sqrt(len(years)))}


def direction(slope):
    """1 or -1 where the interval excludes 0, else 0."""
    return 1 if slope["low"] > 0 else -1 if slope["high"] < 0 else 0


def conclusion(raw, corrected):
    """The code for a raw trend and those that are corrected for effort; None for one that is not computable."""
    if raw is None or direction(raw["slope"]) == 0:
        return "no-trend"
    if any(trend is not None and direction(trend["slope"]) != direction(raw["slope"]) for trend in corrected):
        return "not-distinguishable"
    return "not-computable" if None in corrected else "remains"
