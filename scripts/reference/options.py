"""The options of both commands: the records, and the rule by which they count."""

import argparse

import occurrences
from table import Rule


def parser(text):
    made = argparse.ArgumentParser(description=text)
    made.add_argument("csv", help="a CSV export, columns occurrences-1")
    made.add_argument("--region", help="the code of a region; without it all")
    made.add_argument("--period", default="year", choices=("year", "5-year", "week-of-year"))
    made.add_argument("--cell-km", type=int, default=10, help="the side of a cell")
    made.add_argument("--max-uncertainty", type=float, help="metres; without it the side of a cell")
    made.add_argument("--min-confidence", type=int)
    made.add_argument("--captive", action="store_true", help="captive organisms count")
    made.add_argument("--taxon", help="the scientific name of a species or genus; without it all records of the file")
    made.add_argument("--survey", help="a survey export of the same moment")
    return made


def rule(chosen, end=None):
    side = chosen.cell_km * 1000
    uncertainty = side if chosen.max_uncertainty is None else chosen.max_uncertainty
    return Rule(chosen.period, side, uncertainty, chosen.min_confidence, chosen.captive, end, chosen.region)


def parameters(made):
    return {
        "period": made.period, "region": made.region, "end": made.end, "cellKm": made.side // 1000,
        "maxUncertaintyMetres": made.uncertainty, "minConfidence": made.confidence}


def records(chosen):
    """The records of the taxon that is asked for."""
    found = occurrences.read(chosen.csv)
    if chosen.taxon is None:
        return found
    below = chosen.taxon + " "
    return occurrences.select(found, [
        place for place, name in enumerate(found.names) if name == chosen.taxon or name.startswith(below)])
