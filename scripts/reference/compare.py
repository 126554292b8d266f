#!/usr/bin/env python3
"""Compares what `ranges` or `margin-trend` printed with a response of the API.

    scripts/reference/compare.py REFERENCE.json RESPONSE.json

Degrees are equal to 1e-6, areas to 1e-3 km², p to three significant digits, and figures that the API rounds to its
last digit; so are rarefied values. Every difference is a line. The exit status is 1 if there is any.
"""

import json
import math
import sys

# Where the two may differ: the largest difference of a number, by the name of its member.
DEGREES, AREA, NOISE = 1e-6, 1e-3, 1e-8
TOLERANCES = {
    **dict.fromkeys(("latitude", "longitude", "reference", "meanOf10Cells"), DEGREES),
    **dict.fromkeys(("q05", "q10", "q50", "q90", "q95"), DEGREES),
    **dict.fromkeys(("km2", "iucnKm2", "minKm2", "maxKm2", "hullKm2"), AREA),
    # Rounded to six decimals: half of the last one, and the noise between two computations.
    "value": 0.5e-6 + NOISE,
    **dict.fromkeys(("perDecade", "low", "high", "tau", "lag1"), 0.5e-4 + NOISE),
    "listLength": 0.5e-2 + NOISE,
}
RELATIVE = {"shape": 1e-6, "scale": 1e-6}
# Members that say which item of a list it is.
KEYS = ("region", "from", "to", "week", "band", "member", "reason")
LISTS = {"items": 4, "series": 4, "poorPeriods": 4, "table": 5, "missing": 6, "leftOut": 7}
# The export does not have these records; texts are not figures.
UNKNOWN = ("asOf", "taxon", "statuses", "parameters", "sentence", "notInExports")
NOT_EXPORTED = ("pending", "prompted")


def differences(reference, response):
    """A line for each difference, of two objects."""
    return list(_objects("", reference, _without_unexported(response)))


def _without_unexported(response):
    """A response without the records that no export has, and without rows that have no others."""
    if "items" not in response:
        return response
    rows = []
    for row in response["items"]:
        left = [item for item in row["leftOut"] if item["reason"] not in NOT_EXPORTED]
        if row["records"] or left:
            rows.append({**row, "leftOut": left})
    return {**response, "items": rows}


def _objects(path, one, other):
    for name in sorted((one.keys() | other.keys()) - set(UNKNOWN)):
        here = f"{path}.{name}" if path else name
        if name not in one or name not in other:
            yield f"{here}: only in the {'reference' if name in one else 'response'}"
        # The reference knows no visits without a survey export.
        elif not (name == "visits" and one[name] is None):
            yield from _values(here, name, one[name], other[name])


def _values(path, name, one, other):
    if isinstance(one, dict) and isinstance(other, dict):
        yield from _objects(path, one, other)
    elif isinstance(one, list) and isinstance(other, list) and name in LISTS:
        yield from _lists(path, KEYS[:LISTS[name]], one, other)
    elif not _equal(name, one, other):
        yield f"{path}: {json.dumps(one)} in the reference, {json.dumps(other)} in the response"


def _lists(path, keys, one, other):
    """Items are compared by their names, whatever their order."""
    left, right = ({tuple(item.get(key) for key in keys): item for item in items} for items in (one, other))
    for key in sorted(left.keys() | right.keys(), key=str):
        here = f"{path}[{' '.join(str(part) for part in key if part is not None)}]"
        if key not in left or key not in right:
            yield f"{here}: only in the {'reference' if key in left else 'response'}"
        else:
            yield from _objects(here, left[key], right[key])
    if not len(left) == len(right) == len(one) == len(other):
        yield f"{path}: {len(one)} items in the reference, {len(other)} in the response"


def _equal(name, one, other):
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (one, other))
    if not numbers:
        return one is other if isinstance(one, bool) or isinstance(other, bool) else one == other
    if name == "p":
        return _three_digits(one, other)
    if name in RELATIVE:
        return math.isclose(one, other, rel_tol=RELATIVE[name])
    return abs(one - other) <= TOLERANCES.get(name, 0)


def _three_digits(one, other):
    """Whether a number is another one that may be rounded to three significant digits."""
    if one == 0 or other == 0:
        return one == other
    return abs(one - other) <= (0.5 + 1e-6) * 10 ** (math.floor(math.log10(abs(other))) - 2)


def main():
    reference, response = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    found = differences(reference, response)
    print("\n".join(found) if found else "equal")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
