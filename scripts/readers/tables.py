"""Exports as Python's own modules read them: what the other readers are compared with."""

import csv
import io
import json
import zipfile


def csv_rows(path):
    """A CSV file as a list of dictionaries of texts."""
    text = path.read_bytes().decode()
    header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    return [dict(zip(header, row, strict=True)) for row in rows]


def tab_rows(data):
    """Lines with tabs between their fields, nothing enclosed."""
    lines = data.decode().split("\n")
    assert lines.pop() == "", "the last line does not end"
    header, *rows = [line.split("\t") for line in lines]
    return [dict(zip(header, row, strict=True)) for row in rows]


def geojson_rows(path):
    return [feature["properties"] for feature in json.loads(path.read_bytes())["features"]]


def sequence_rows(path):
    """A GeoJSON text sequence."""
    first, *features = path.read_bytes().split(b"\x1e")
    assert first == b"", "there is something before the first record separator"
    return [json.loads(feature)["properties"] for feature in features]


def archive_tables(path):
    """The tables of a Darwin Core archive by name."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None, "a checksum is wrong"
        for entry in archive.infolist():
            assert entry.compress_type == zipfile.ZIP_STORED and entry.date_time == (1980, 1, 1, 0, 0, 0), entry
        return {name: tab_rows(archive.read(name)) for name in archive.namelist() if name.endswith(".txt")}


def compare(name, found, expected, tolerance=0):
    """Ends the program unless all rows have the same values: of missing ones either may be empty or null, and numbers
    may be written differently."""
    if len(found) != len(expected):
        raise SystemExit(f"{name}: {len(found)} rows where there are {len(expected)}")
    for number, (one, other) in enumerate(zip(found, expected, strict=True), start=1):
        for column, value in other.items():
            if column not in one:
                raise SystemExit(f"{name}: there is no column {column}")
            if not _same(one[column], value, tolerance):
                raise SystemExit(f"{name}, row {number}, {column}: {one[column]!r} where {value!r} is")


def _same(one, other, tolerance):
    one, other = ("" if value is None else value for value in (one, other))
    if isinstance(one, str) and isinstance(other, str) and one == other:
        return True
    if isinstance(one, str) and isinstance(other, str) and not tolerance or "" in (one, other):
        return False
    try:
        return abs(float(one) - float(other)) <= tolerance
    except ValueError:
        return False
