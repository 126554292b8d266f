"""Reads an export with a library, and prints its rows as a JSON array of objects.

    read.py READER FILE

Runs in the environment of requirements.txt.
"""

import csv
import json
import sys


def pandas_csv(path):
    import pandas

    return _records(pandas.read_csv(path, dtype="str", keep_default_na=False))


def pandas_tsv(path):
    import pandas

    return _records(
        pandas.read_csv(path, sep="\t", quoting=csv.QUOTE_NONE, dtype="str", keep_default_na=False))


def duckdb_csv(path):
    import duckdb

    found = duckdb.sql(
        f"select * from read_csv('{path}', header = true, delim = ',', quote = '\"', escape = '\"', all_varchar = true)")
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def dwca_core(path):
    from dwca.read import DwCAReader

    with DwCAReader(path) as archive:
        return [_short(row.data) for row in archive]


def dwca_extensions(path):
    """The rows of all extensions, each with the row type of its file and the id of its occurrence."""
    from dwca.read import DwCAReader

    with DwCAReader(path) as archive:
        return [
            {"rowtype": extension.rowtype, "coreid": row.id, **_short(extension.data)}
            for row in archive for extension in row.extensions]


def dwca_title(path):
    from dwca.read import DwCAReader

    with DwCAReader(path) as archive:
        return [{"title": archive.metadata.find("dataset/title").text}]


def datacite(path):
    """Whether a file is valid against the schema of DataCite 4.5."""
    from datacite import schema45

    with open(path, encoding="utf-8") as file:
        return [{"valid": bool(schema45.validate(json.load(file)))}]


def _records(frame):
    return frame.to_dict(orient="records")


def _short(data):
    return {term.rsplit("/", 1)[1]: value for term, value in data.items()}


READERS = {
    function.__name__: function
    for function in (pandas_csv, pandas_tsv, duckdb_csv, dwca_core, dwca_extensions, dwca_title, datacite)}

if __name__ == "__main__":
    json.dump(READERS[sys.argv[1]](sys.argv[2]), sys.stdout)
