#!/usr/bin/env python3
"""Requests every range and trend of a taxon from a running service, and compares them with the reference.

    scripts/reference/check.py URL TAXON CSV [--cell-km N] [--max-uncertainty METRES] [--no-trends]
                               [--survey all=ZIP] [--survey REGION=ZIP]

TAXON is the id of the taxon, of which CSV has all records at this moment. Ranges are compared by every period, and of
each end. Trends are compared of each end and metric: of all records and of every region, or with surveys of the regions
that these are of. Every difference is a line, and the exit status 1 if there is any.
"""

import argparse
import json
import sys
import urllib.parse
import urllib.request
from itertools import product

import answers
import compare
import effort
import occurrences
from borders import Borders
from margins import METRICS
from table import ENDS, Rule, Table

PERIODS = ("year", "5-year", "week-of-year")
TIMEOUT_SECONDS = 120


class Check:
    def __init__(self, chosen):
        self.address = f"{chosen.url}/v1/taxa/{chosen.taxon}"
        self.side = chosen.cell_km * 1000
        self.uncertainty = chosen.max_uncertainty or self.side
        self.surveys = dict(survey.split("=", 1) for survey in chosen.survey)
        self.found, self.borders = occurrences.read(chosen.csv), Borders()
        self.visits = effort.visits_by_key(self.surveys["all"]) if "all" in self.surveys else None
        self.answers = self.rows = self.faults = 0

    def table(self, period, end=None, region=None):
        rule = Rule(period, self.side, self.uncertainty, end=end, region=region)
        return Table(self.found, rule, self.borders, self.visits)

    def ranges(self, period, end=None, region=None):
        answer = answers.ranges(self.table(period, end, region))
        self.compare("ranges", answer, {"period": period, "end": end, "region": region})
        self.rows += len(answer["items"])

    def trend(self, period, end, metric, region):
        query = {"period": period, "end": end, "metric": metric, "region": region}
        response = self.response("trend", query)
        answer = answers.margin_trend(
            self.table(period, end, region), metric, self.surveys.get(region or "all"), response["effort"]["seed"])
        self.compare("trend", answer, query, response)

    def response(self, path, query):
        given = {name: value for name, value in query.items() if value is not None}
        given |= {"cellKm": self.side // 1000, "maxUncertaintyMetres": f"{self.uncertainty:g}"}
        url = f"{self.address}/{path}?{urllib.parse.urlencode(given)}"
        with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as response:
            return json.load(response)

    def compare(self, path, answer, query, response=None):
        found = compare.differences(answer, response or self.response(path, query))
        asked = " ".join(str(value) for value in query.values() if value is not None)
        for line in found:
            print(f"{path} {asked}: {line}")
        self.answers += 1
        self.faults += len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("url")
    parser.add_argument("taxon")
    parser.add_argument("csv")
    parser.add_argument("--cell-km", type=int, default=10)
    parser.add_argument("--max-uncertainty", type=float)
    parser.add_argument("--survey", action="append", default=[])
    parser.add_argument("--no-trends", action="store_true")
    chosen = parser.parse_args()
    check = Check(chosen)
    regions = sorted(set(check.found.regions) - {""})
    for period in PERIODS:
        check.ranges(period)
    for end, region in product(ENDS, regions[:1]):
        check.ranges("year", end, region)
    if not chosen.no_trends:
        asked = [name for name in check.surveys if name != "all"] if check.surveys else regions
        for end, metric in product(ENDS, METRICS):
            check.trend("year", end, metric, None)
            for region in asked:
                check.trend("year", end, metric, region)
        check.trend("5-year", "south", METRICS[0], None)
        check.trend("week-of-year", "south", METRICS[0], None)
    print(f"{check.answers} responses, {check.rows} rows of ranges: {check.faults or 'no'} differences")
    return bool(check.faults)


if __name__ == "__main__":
    sys.exit(main())
