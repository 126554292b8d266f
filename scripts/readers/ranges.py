"""Compares the ranges and trends of real records with what scripts/reference computes from their exports."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import records  # noqa: E402
from service import ROOT, Client, environment, running  # noqa: E402

REFERENCE = ROOT / "scripts/reference"
DATA = Path(os.environ.get("SKEIN_TEST_DATA", ROOT / "../shared/data"))
WRENS = DATA / "bbs_pacific_wren/occurrence.csv"
NEON = DATA / "neon_landbirds/neon_landbirds.csv.gz"
# Degrees a decade; how many periods; the largest p. The published trend of the wrens' southern margin.
SLOPE, PERIODS, P = (-0.390, -0.532, -0.270), 55, 1e-6
# Species of NEON, with the regions of which trends are compared, too.
SPECIES = {"Vireo olivaceus": ("southeast", "great-lakes"), "Pipilo chlorurus": ("rockies",)}
# How long the service may take to read what was imported.
IMPORT_SECONDS = 900


def compare(skein, with_neon):
    """Imports into a service of its own. Ends the script at a difference; skips records that are not there."""
    python = environment("reference-venv", REFERENCE / "requirements.txt") / "bin" / "python"
    subprocess.run([python, "-B", "-m", "unittest", "discover", "--start-directory", REFERENCE], check=True)
    if not WRENS.is_file():
        print(f"ranges of real records: skipped, no {WRENS} (set SKEIN_TEST_DATA)")
        return
    with running(skein) as service:
        client = Client(service, "researcher@example.org")
        records.verify(client)
        _wrens(service, client, python)
        if with_neon and NEON.is_file():
            _neon(service, client, python)
        elif with_neon:
            print(f"ranges of NEON's birds: skipped, no {NEON}")


def _wrens(service, client, python):
    service.run(
        "import", "occurrences", WRENS, "--dataset", "Breeding Bird Survey", "--licence", "CC0-1.0", "--republish",
        "yes")
    _wait(client)
    taxon = _taxon(client, "Troglodytes pacificus")
    rule = ("--cell-km", "50", "--max-uncertainty", "25000")
    _check(python, service, taxon, _download(client, "wrens.csv", format="csv", filter={"taxon": taxon}), *rule)
    if not _has_trends():
        return
    trend = client.send(
        "GET", f"/v1/taxa/{taxon}/trend?end=south&metric=meanOf10Cells&cellKm=50&maxUncertaintyMetres=25000")
    slope = trend["slope"]
    found = (slope["perDecade"], slope["low"], slope["high"])
    assert all(abs(one - other) < 0.0006 for one, other in zip(found, SLOPE)), slope
    assert trend["n"] == PERIODS and trend["p"] < P and trend["conclusion"] == "not-computable", trend
    assert "presence-only" in trend["sentence"], trend["sentence"]
    print(f"the wrens' southern margin moved by {found[0]}° a decade: {trend['conclusion']}")


def _neon(service, client, python):
    service.run(
        "import", "occurrences", NEON, "--dataset", "NEON breeding landbirds", "--licence", "CC-BY-4.0",
        "--republish", "yes", "--visit", "eventID,pointkey,bout", "--complete")
    client.log_in()
    _wait(client)
    surveys = {}
    if _has_surveys():
        surveys["all"] = _download(client, "all.zip", format="survey", filter={})
        for region in sorted({region for regions in SPECIES.values() for region in regions}):
            surveys[region] = _download(client, f"{region}.zip", format="survey", filter={"region": region})
    else:
        print("trends of NEON's birds: skipped, there is no format survey")
    for name, regions in SPECIES.items():
        taxon = _taxon(client, name)
        file = _download(client, f"{name}.csv", format="csv", filter={"taxon": taxon})
        given = [
            f"--survey={region}={surveys[region]}" for region in ("all", *regions) if region in surveys
        ] or ["--no-trends"]
        _check(python, service, taxon, file, *given)


def _check(python, service, taxon, file, *rule):
    options = [*rule] if _has_trends() else [*rule, "--no-trends"]
    done = subprocess.run([python, "-B", REFERENCE / "check.py", service.url, taxon, file, *options])
    if done.returncode != 0:
        sys.exit(f"ranges of {file.name} differ from the reference")


def _has_trends():
    return "/v1/taxa/{id}/trend:" in (ROOT / "openapi.yaml").read_text()


def _has_surveys():
    formats = re.search(r"ExportFormat:.*?enum: (\[.*?\])", (ROOT / "openapi.yaml").read_text(), re.DOTALL)
    return bool(formats and "survey" in formats[1])


def _taxon(client, name):
    """The id of a species."""
    found = client.send("GET", f"/v1/taxa?q={urllib.parse.quote(name)}")["items"]
    return next(taxon["id"] for taxon in found if taxon["scientificName"] == name)


def _download(client, name, **request):
    """Takes an export, and returns the path of its file."""
    file = client.service.folder / name
    url = f"{client.service.url}/v1/exports/{client.export(**request)}/data"
    with urllib.request.urlopen(url, timeout=600) as answer:
        file.write_bytes(answer.read())
    return file


def _wait(client):
    """Waits until the service has read what another process imported."""
    deadline = time.monotonic() + IMPORT_SECONDS
    with urllib.request.urlopen(f"{client.service.url}/v1/log", timeout=60) as answer:
        position = answer.headers["Log-Position"]
    while time.monotonic() < deadline:
        try:
            client.send("GET", "/v1/sightings?limit=1", headers={"Log-Position": position})
            return
        except urllib.error.HTTPError as error:
            if error.code != 503:
                sys.exit(f"the service answers {error.code}: {json.load(error)}")
            time.sleep(0.5)
    sys.exit("the service does not see the imported records")
