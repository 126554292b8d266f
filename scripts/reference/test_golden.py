"""The reference has the numbers that others published: `python3 -m unittest discover scripts/reference`."""

import unittest
from math import cos, degrees, floor, radians, sin, sqrt

import numpy as np
from scipy import stats

import areas
import borders
import cells
import compare
import margins
import occurrences
import trend
from table import Rule, Table

# *Hogna maderiana*, the ten points of the R package red.
HOGNA = np.array([
    (32.646768, -16.909478), (32.75616, -17.054827), (32.720295, -16.909728), (32.679663, -16.850091),
    (32.648493, -16.97528), (32.726184, -17.050012), (32.7584784, -16.9430733), (32.755517, -17.072939),
    (32.7573073, -17.1380168), (32.8264965, -16.9102237)])


class Published(unittest.TestCase):
    def test_hogna_maderiana(self):
        area, reason = areas.hull_km2(*HOGNA.T)
        self.assertIsNone(reason)
        self.assertAlmostEqual(area, 304.4806, places=4)
        self.assertEqual(areas.occupancy(*HOGNA.T)[0]["km2"], 40)
        self.assertAlmostEqual(np.quantile(HOGNA[:, 0], 0.05), 32.64754425, places=9)
        self.assertAlmostEqual(np.quantile(HOGNA[:, 0], 0.95), 32.795888355, places=9)

    def test_sen(self):
        x, y = [1, 2, 3, 4, 10, 12, 18], [9, 15, 19, 20, 45, 55, 78]
        line = stats.theilslopes(y, x, 0.93, method="separate")
        self.assertEqual((line.slope, line.intercept), (4, 4))
        self.assertAlmostEqual(line.low_slope, 26 / 7)
        self.assertAlmostEqual(line.high_slope, 35 / 8)

    def test_hulls(self):
        line = np.array([30.0, 30.5, 31.0])
        self.assertEqual(areas.hull_km2(line, line), (None, "fewPoints"))
        self.assertEqual(areas.hull_km2(line[:0], line[:0]), (None, "noRecords"))
        # Over the 180th meridian as elsewhere.
        here, _ = areas.hull_km2(np.array([50.0, 51.0, 50.0]), np.array([-1.0, 0.0, 1.0]))
        there, _ = areas.hull_km2(np.array([50.0, 51.0, 50.0]), np.array([179.0, -180.0, -179.0]))
        self.assertAlmostEqual(here, there, places=6)
        wide = np.array([0.0, 100.0, -130.0, -60.0])
        self.assertEqual(areas.hull_km2(np.array([0.0, 10, 0, 5]), wide), (None, "tooWide"))


class Cells(unittest.TestCase):
    def test_the_code_of_the_document(self):
        """PROJ finds the cells that docs/range-metrics.md computes."""
        def arc(latitude):
            y = radians(latitude)
            return (6367449.145823415 * y - 16038.508662968 * sin(2 * y) + 16.832613263 * sin(4 * y)
                    - 0.021984439 * sin(6 * y) + 0.000031148 * sin(8 * y))

        def cell(latitude, longitude, side):
            y, squared = radians(latitude), 0.0066943799901413165
            parallel = 6378137 * cos(y) / sqrt(1 - squared * sin(y) ** 2)
            return floor(arc(latitude) / side), floor(parallel * radians(longitude + 180) / side)

        random = np.random.default_rng(1)
        latitudes, longitudes = random.uniform(-89, 89, 5_000), random.uniform(-180, 180, 5_000)
        for side in (5_000, 10_000, 50_000, 100_000):
            found = cells.cells(latitudes, longitudes, side)
            self.assertEqual(
                [tuple(row) for row in found.tolist()], [cell(*place, side) for place in zip(latitudes, longitudes)])
            occupied = cells.occupied(found)
            again = cells.cells(*cells.centres(occupied, side), side)
            inner = cells.centres(occupied, side)[1] < 180
            np.testing.assert_array_equal(again[inner], occupied[inner])

    def test_margin(self):
        found = cells.occupied(np.array([(row, column) for row in range(6) for column in (3, 1, 2)]))
        self.assertEqual(cells.margin(found, "south")[:4].tolist(), [[0, 1], [0, 2], [0, 3], [1, 1]])
        self.assertEqual(cells.margin(found, "north")[:4].tolist(), [[5, 1], [5, 2], [5, 3], [4, 1]])
        self.assertEqual(margins.gamma95(found, "south", 10_000, 60_000)[1], "fewCells")


class Periods(unittest.TestCase):
    def test_whole_intervals_only(self):
        month = occurrences.days("2024-05", "UTC")
        self.assertEqual(occurrences.period(month, "year"), 2024)
        self.assertEqual(occurrences.period(month, "5-year"), 2020)
        self.assertEqual(occurrences.period(month, "week-of-year"), occurrences.NO_PERIOD)
        self.assertEqual(occurrences.period(occurrences.days("2024-12-30", "UTC"), "week-of-year"), 1)
        # An hour of the next year in UTC.
        self.assertEqual(
            occurrences.days("2025-01-01T00:30:00Z", "America/Los_Angeles"),
            occurrences.days("2024-12-31", "America/Los_Angeles"))


class Trends(unittest.TestCase):
    def test_gaps_are_gaps(self):
        points = [(2000 + number, float(number % 3), None) for number in range(0, 20, 2)]
        found, _ = trend.of(points, "year")
        self.assertEqual((found["n"], found["autocorrelation"]["lag1"]), (10, 0))
        self.assertEqual(trend.of(points[:7], "year")[1], "fewPeriods")
        self.assertEqual(trend.of(points, "week-of-year")[1], "weekOfYear")
        self.assertEqual(trend.of(points, "year", {2002})[1], "truncated")

    def test_conclusions(self):
        def slope(low, high):
            return {"slope": {"low": low, "high": high}}
        up, flat, down = slope(1, 2), slope(-1, 2), slope(-2, -1)
        self.assertEqual(trend.conclusion(flat, [up, up]), "no-trend")
        self.assertEqual(trend.conclusion(up, [up, up]), "remains")
        self.assertEqual(trend.conclusion(up, [None, down]), "not-distinguishable")
        self.assertEqual(trend.conclusion(up, [up, None]), "not-computable")


class Truncation(unittest.TestCase):
    def setUp(self):
        self.borders = borders.Borders()

    def test_a_state_line_and_a_coast(self):
        """Records at Oregon's southern border are truncated there, those at the coast of Texas are not."""
        near = cells.cells([42.1], [-122.0], 10_000)
        self.assertTrue(self.borders.is_truncated("pacific-northwest", near, "south", 10_000, near[:0]))
        self.assertFalse(self.borders.is_truncated("pacific-northwest", near, "north", 10_000, near[:0]))
        coast = cells.cells([27.8], [-97.2], 10_000)
        self.assertFalse(self.borders.is_truncated("plains", coast, "south", 10_000, near[:0]))

    def test_records_beyond(self):
        north, south = cells.cells([46.0], [-122.0], 10_000), cells.cells([39.0], [-122.0], 10_000)
        self.assertTrue(self.borders.is_truncated("pacific-northwest", north, "south", 10_000, south))
        aside = cells.cells([45.5], [-110.0], 10_000)
        self.assertFalse(self.borders.is_truncated("pacific-northwest", north, "south", 10_000, aside))


class Tables(unittest.TestCase):
    def test_order_of_records(self):
        """The table depends on the set of records only."""
        random = np.random.default_rng(2)
        count = 300
        found = occurrences.Occurrences(
            ids=[f"{number:08}" for number in range(count)], names=["Troglodytes pacificus"] * count,
            keys=[str(number) for number in range(count)], latitudes=random.uniform(43, 50, count).round(1),
            longitudes=random.uniform(-125, -117, count).round(1), uncertainties=np.full(count, np.nan),
            confidences=np.full(count, np.nan), captive=np.arange(count) % 50 == 0, qualified=np.zeros(count, bool),
            generalised=np.zeros(count, bool), pending=np.zeros(count, bool),
            regions=["pacific-northwest" if number % 3 else "rockies" for number in range(count)],
            observers=[str(number % 7) for number in range(count)],
            days=[occurrences.days(str(2000 + number % 4), "UTC") for number in range(count)])
        rule, lines = Rule("year", 20_000, 20_000), borders.Borders()
        rows = Table(found, rule, lines).rows()
        mixed = Table(occurrences.select(found, random.permutation(count)), rule, lines).rows()
        self.assertEqual(compare.differences({"items": rows}, {"items": mixed}), [])
        self.assertEqual([row["region"] for row in rows], ["all"] * 4 + ["pacific-northwest"] * 4 + ["rockies"] * 4)
        self.assertEqual(sum(row["records"] for row in rows[:4]), count - count // 50)
        self.assertEqual(rows[0]["leftOut"], [{"reason": "captive", "records": 3}])


class Comparing(unittest.TestCase):
    def test_differences_are_listed(self):
        one = {"items": [{"region": "all", "from": 2000, "to": 2000, "records": 1, "q50": 40.0, "leftOut": []}]}
        other = {"items": [{**one["items"][0], "q50": 40.0000009}]}
        self.assertEqual(compare.differences(one, other), [])
        other["items"][0]["q50"] = 40.00001
        self.assertEqual(len(compare.differences(one, other)), 1)
        self.assertEqual(len(compare.differences(one, {"items": []})), 2)
        self.assertEqual(compare.differences({"p": 6.586e-07}, {"p": 6.59e-07}), [])
        self.assertEqual(len(compare.differences({"p": 6.586e-07}, {"p": 6.58e-07})), 1)
        self.assertEqual(len(compare.differences({"truncated": True}, {"truncated": None})), 1)


if __name__ == "__main__":
    unittest.main()
