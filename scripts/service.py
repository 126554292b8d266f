"""A service for scripts that try it from the outside: `skein serve` with a database of its own, and a first client."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PASSWORD = "a wren in the winter salal"
# How long a service may take to make its database, migrate and load the reference data.
START_SECONDS = 120
# How long it may take to make an export of a few records.
EXPORT_SECONDS = 60


@contextmanager
def running(program):
    """A service while the block runs, and the block's folder, which is gone afterwards.

    Ends the program if the service logged an error or did not stop in order: even when every answer looked right.
    """
    if not os.access(program, os.X_OK):
        sys.exit(f"{program} is no program; build it: swift build --configuration release --product skein")
    with tempfile.TemporaryDirectory(prefix="skein-contract-") as folder:
        # Run as root, PostgreSQL is another user's, who must be able to pass through.
        os.chmod(folder, 0o755)
        service = Service(program.resolve(), Path(folder))
        try:
            service.wait()
            yield service
        finally:
            service.stop()
        if errors := service.errors():
            sys.exit("\n".join(errors))


def environment(name, requirements):
    """The folder of a Python environment `.build/<name>` with what a requirements.txt pins."""
    venv = ROOT / ".build" / name
    stamp = venv / "requirements.txt"
    if not stamp.is_file() or stamp.read_text() != requirements.read_text():
        subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=True)
        pip = [venv / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--requirement", requirements], check=True)
        stamp.write_text(requirements.read_text())
    return venv


class Service:
    """A `skein serve` with a private PostgreSQL in a folder that nobody else has."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.log = folder / "log"
        # The quotas would answer 429 to nearly everything; the unit tests hold them.
        settings = {
            "SKEIN_PUBLIC_URL": "https://skein.example", "SKEIN_ORGANISATION": "Example Society",
            "SKEIN_CONTACT": "data@skein.example", **os.environ, "SKEIN_RATE_LIMITS": "off", "SKEIN_CREDENTIAL_ATTEMPTS": "0", "SKEIN_PHOTOS_PER_DAY": "0",
            "SKEIN_UNVERIFIED_DAILY_PHOTO_BYTES": "0", "SKEIN_LOG_LEVEL": "info"}
        # Whatever database the caller's shell names, this is not for it.
        for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_READ_URL", "SKEIN_DATA_DIR", "SKEIN_HOST",
                     "SKEIN_PORT", "SKEIN_OPERATIONS_PORT"):
            settings.pop(name, None)
        # A program that lies elsewhere still finds the reference data.
        settings.setdefault("SKEIN_SHARE_DIR", str(ROOT / "share"))
        self.settings = settings
        self.url = None
        with self.log.open("wb") as output:
            # Ctrl-C is for the script alone, which then stops the service in order.
            self.process = subprocess.Popen(
                self.command("serve", "--host", "127.0.0.1", "--port", "0"), env=settings, stdout=output, stderr=output,
                start_new_session=True)

    def command(self, *arguments):
        return [self.program, *arguments, "--data-dir", self.folder / "data"]

    def run(self, *arguments):
        """Another command of the program on the same database."""
        done = subprocess.run(self.command(*arguments), env=self.settings, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"skein {' '.join(map(str, arguments))} failed:\n{done.stdout}{done.stderr}")

    def wait(self):
        """Waits until it listens."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            found = re.search(r"Skein listens on (http://127\.0\.0\.1:\d+)", self.log.read_text())
            if found:
                self.url = found.group(1)
                return
            time.sleep(0.1)
        sys.exit(f"the service did not start:\n{self.log.read_text()}")

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def errors(self):
        """Signs of a fault of the service: lines of its log, and how it ended."""
        lines = self.log.read_text(errors="replace").splitlines()
        errors = [line for line in lines if re.match(r"\S+ (error|critical) ", line)]
        if self.process.returncode != 0:
            errors.append(f"the service ended with status {self.process.returncode}")
        return errors


class Client:
    """One person's requests."""

    SIGHTING = {
        "name": "Pacific Wren", "count": 2, "confidence": 8, "observedAt": "2026-05-01T07:30:00-07:00",
        "latitude": 47.6577, "longitude": -122.4056,
    }

    def __init__(self, service, email):
        self.service = service
        self.email = email
        self.token = None
        body = {"email": email, "password": PASSWORD, "name": "Maria Alvarez", "oldEnough": True}
        self.account = self.send("POST", "/v1/accounts", body)["id"]
        self.log_in()

    def log_in(self):
        self.token = self.send("POST", "/v1/sessions", {"email": self.email, "password": PASSWORD})["accessToken"]

    def become_admin(self):
        """The first admin can only be made by an operator. A token that is given from now on has the role at once."""
        self.service.run("role", "add", self.email, "admin")
        self.log_in()

    def submit(self, **members):
        return self.send("POST", "/v1/sightings", {**self.SIGHTING, **members})

    def correct(self, sighting, **members):
        return self.send("PATCH", f"/v1/me/findings/{sighting['id']}", members, {"If-Match": "*"})

    def withdraw(self, sighting, reason="mistake"):
        self.send("DELETE", f"/v1/me/findings/{sighting['id']}?reason={reason}", headers={"If-Match": "*"})

    def export(self, **request):
        """The id of an export, which is ready."""
        path = f"/v1/exports/{self.send('POST', '/v1/exports', request)['id']}"
        deadline = time.monotonic() + EXPORT_SECONDS
        while (export := self.send("GET", path))["state"] != "ready":
            if export["state"] in ("failed", "cancelled") or time.monotonic() > deadline:
                sys.exit(f"the export is {export['state']}: {export['reason']}")
            time.sleep(0.1)
        return export["id"]

    def send(self, method, path, body=None, headers=None):
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4()), **(headers or {})}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.service.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None
