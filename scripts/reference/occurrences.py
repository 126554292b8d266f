"""The records of a CSV export: a column each, of what ranges need."""

import csv
import json
from collections import namedtuple
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np

PLACES = Path(__file__).resolve().parents[2] / "share" / "places"
# Of records whose time fits no period; it sorts last.
NO_PERIOD = 1_000_000

Occurrences = namedtuple("Occurrences", [
    "ids",           # public ids
    "names",         # scientific names
    "keys",          # occurrenceID
    "latitudes", "longitudes",
    "uncertainties",  # metres; not a number where unknown
    "confidences",   # the same
    "captive", "qualified", "generalised",
    "pending",       # False in exports, which have decided records only
    "regions",       # codes, "" for none
    "observers",     # "" where unknown or not to be counted
    "days",          # pairs of the first and last local day
])


def read(path):
    """All records of a file."""
    zones = _zones()
    columns = [[] for _ in Occurrences._fields]
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for column, value in zip(columns, _record(row, zones)):
                column.append(value)
    found = Occurrences(*columns)
    numbers = {name: np.array(getattr(found, name), float) for name in (
        "latitudes", "longitudes", "uncertainties", "confidences")}
    flags = {name: np.array(getattr(found, name), bool) for name in ("captive", "qualified", "generalised", "pending")}
    return found._replace(**numbers, **flags)


def select(found, places):
    """The records at some places in the list."""
    return Occurrences(*(
        column[places] if isinstance(column, np.ndarray) else [column[place] for place in places] for column in found))


def species(name):
    """The species of a scientific name of a species or below; None for higher taxa."""
    words = name.split()
    return " ".join(words[:2]) if len(words) > 1 else None


def _record(row, zones):
    dataset, precision, region = row["datasetID"], row["coordinatePrecision"], row["higherGeography"]
    is_generalised = bool(precision)
    observer = (dataset, row["recordedBy"].strip().lower()) if dataset else ("", row["recordedByID"])
    is_open = not (is_generalised or row["dataGeneralizations"])
    return (
        _public_id(row), row["scientificName"], row["occurrenceID"],
        _number(row["decimalLatitude"]), _number(row["decimalLongitude"]),
        _number(row["coordinateUncertaintyInMeters"]),
        # For an imported row it would be a column of the publisher.
        float("nan") if dataset else _confidence(row["dynamicProperties"]),
        row["degreeOfEstablishment"] in ("captive", "cultivated"),
        row["identificationQualifier"] in ("cf.", "aff."), is_generalised,
        row["identificationVerificationStatus"] == "pending", region,
        "\t".join(observer) if is_open and observer[1] else "", days(row["eventDate"], zones.get(region, "UTC")))


def _public_id(row):
    """The last part of the record's address; without addresses it is known only where it is the occurrenceID."""
    if row["references"]:
        return row["references"].rsplit("/", 1)[-1]
    return row["occurrenceID"].removeprefix("urn:uuid:")


def _number(text):
    return float(text) if text else float("nan")


@cache
def _confidence(text):
    return _number(str(json.loads(text).get("confidence", ""))) if text else float("nan")


@cache
def days(text, zone):
    """The first and the last local day of a time: an instant, a day, a month or a year; None without one."""
    if not text:
        return None
    if "T" in text:
        day = datetime.fromisoformat(text).astimezone(UTC if zone == "UTC" else ZoneInfo(zone)).date()
        return day, day
    parts = [int(part) for part in text.split("-")]
    first = date(*(parts + [1, 1])[:3])
    if len(parts) == 3:
        return first, first
    year, month = (first.year + 1, 1) if len(parts) == 1 or first.month == 12 else (first.year, first.month + 1)
    return first, date(year, month, 1) - timedelta(days=1)


@cache
def period(span, kind):
    """The first year of a period, or the week, that holds all days; NO_PERIOD where none does."""
    if span is None:
        return NO_PERIOD
    first, last = span
    if kind == "week-of-year":
        week = first.isocalendar()[:2]
        return week[1] if week == last.isocalendar()[:2] else NO_PERIOD
    years = 5 if kind == "5-year" else 1
    return first.year // years * years if first.year // years == last.year // years else NO_PERIOD


def _zones():
    with open(PLACES / "regions.tsv", encoding="utf-8") as file:
        return {row["code"]: row["zone"] for row in csv.DictReader(file, delimiter="\t")}
