"""Records that break careless readers, in a running service."""

import csv
import json
import re
import struct
import sys
import time
import urllib.request
import uuid
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from service import Client  # noqa: E402

ODD = [
    'She said "wren", twice', "a, b; c|d", " begins and ends with a space ", "NA", "null", "007", "1e5", "=1+1", "#",
    "two\nlines", "a\ttab", "naïve 鳥 👩‍🔬", "back\\slash", "'", '"', "\\N", "-", "true", "2026-05-01", "\u2028",
]


def make(service):
    """Submits, approves and imports. Returns a signed-in birder, and how many records an export of all has."""
    admin = Client(service, "admin@example.org")
    admin.become_admin()
    moderator = Client(service, "moderator@example.org")
    service.run("role", "add", moderator.email, "moderator")
    # A token that is given from now on has the role at once.
    moderator.log_in()
    birder = Client(service, "birder@example.org")
    verify(birder)
    approved = [
        birder.submit(), birder.submit(notes='Singing from a "stump";\nthen gone, 鳥 👩‍🔬.'),
        birder.submit(geoprivacy="obscured"), birder.submit(observedAt="2026-05", count=None)]
    visits = [
        {"id": str(uuid.uuid4()), "startedAt": "2026-05-01T07:00:00-07:00", "minutes": 30, "complete": complete}
        for complete in (True, True, False)]
    approved += [
        birder.submit(visit=visits[0]), birder.submit(name="Song Sparrow", visit=visits[0]),
        birder.submit(visit=visits[1]), birder.submit(visit=visits[2]),
        # Hidden: they change no list.
        birder.submit(name="Song Sparrow", visit=visits[1], geoprivacy="obscured")]
    _photograph(birder, moderator, approved[0])
    other = birder.submit(name="Song Sparrow", notes="Still pending.")
    moderator.send(
        "POST", f"/v1/moderation/sightings/{approved[1]['id']}/identifications", {"taxonId": other["taxon"]["id"]})
    for sighting in approved:
        _approve(moderator, f"/v1/moderation/sightings/{sighting['id']}/decisions")
    imported = _import(service)
    _wait_for_imports(birder)
    return birder, len(approved) + imported


def _import(service):
    header = [
        "occurrenceID", "scientificName", "eventDate", "decimalLatitude", "decimalLongitude", "individualCount",
        "recordedBy", "locality", "catalogNumber", "occurrenceRemarks", "foreign column",
    ]
    rows = [
        [f"odd-{number}", "Troglodytes pacificus", f"2024-05-{number % 28 + 1:02}", f"{45 + number / 100:.2f}", "-122.5",
         number % 5 + 1, text, text, text, text, text]
        for number, text in enumerate(ODD)
    ]
    file = service.folder / "odd.csv"
    with file.open("w", newline="") as output:
        csv.writer(output).writerows([header, *rows])
    service.run(
        "import", "occurrences", file, "--dataset", 'Odd: "wrens" {and} \\ others', "--licence", "CC0-1.0", "--republish",
        "yes")
    service.run(
        "import", "occurrences", file, "--dataset", "Not passed on", "--licence", "CC-BY-4.0", "--republish", "no")
    return len(rows)


def _wait_for_imports(client):
    """Waits until the service has read what another process imported."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if client.send("GET", "/v1/sightings/count")["leftOut"]["notRepublished"] == len(ODD):
            return
        time.sleep(0.2)
    sys.exit("the service does not see the imported records")


def verify(client):
    """Verifies the address with the code of the mail, which is a file while no command sends mails."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for mail in (client.service.folder / "data" / "mail").glob("*.eml"):
            text = mail.read_text()
            if client.email in text and (code := _code(text)):
                client.send("PUT", "/v1/email-verifications", {"token": code})
                return
        time.sleep(0.2)
    sys.exit(f"no mail with a code came for {client.email}")


def _code(text):
    found = re.search(r"([0-9A-Z]{4}-){5}[0-9A-Z]{4}", text)
    return found and found.group()


def _approve(moderator, path):
    moderator.send("POST", path, {"decision": "approve"}, {"If-Match": "*"})


def _photograph(birder, moderator, sighting):
    headers = {
        "Authorization": f"Bearer {birder.token}", "Content-Type": "image/png", "Idempotency-Key": str(uuid.uuid4())}
    request = urllib.request.Request(
        f"{birder.service.url}/v1/me/findings/{sighting['id']}/photos", _png(600, 400), headers, method="POST")
    with urllib.request.urlopen(request, timeout=60) as answer:
        photo = json.loads(answer.read())
    _approve(moderator, f"/v1/moderation/photos/{photo['id']}/decisions")


def _png(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(
        b"\0" + bytes(value for x in range(width) for value in (x % 256, y % 256, x * y % 256)) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
