"""Runs the test, or a round of the torture, that has to notice a mutant."""

import os
import re
import signal
import subprocess
from dataclasses import dataclass


@dataclass
class Outcome:
    caught: bool
    text: str


def build(tree):
    """Builds a changed tree; returns the end of the output if that fails."""
    command = ["swift", "build", "--build-tests", *_location(tree)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return None if result.returncode == 0 else "it does not build:\n" + result.stdout[-2000:]


def run(mutant, tree, limit):
    """A mutant is caught if the run fails within the limit and says what the mutant expects."""
    if mutant.test is None:
        # The second kind of every fault would come too late for the limit.
        command = [str(tree.scratch / "debug" / "skein-torture"), "--rounds", "1", "--seconds", "1", "--seed", "1"]
    else:
        command = ["swift", "test", "--skip-build", "--disable-xctest", "--no-parallel", *_location(tree)]
        command += ["--filter", mutant.test]
    status, text = _output(command, {**os.environ, **tree.environment}, limit)
    if status is None:
        return Outcome(False, f"no verdict within {limit} s; the output ends with:\n{text[-1000:]}")
    if status == 0:
        return Outcome(False, "nothing failed")
    if not re.search(mutant.shows, text):
        return Outcome(False, f"it failed, but not with /{mutant.shows}/:\n{text[-2000:]}")
    return Outcome(True, "")


def _location(tree):
    return ["--package-path", str(tree.root), "--scratch-path", str(tree.scratch)]


def _output(command, environment, limit):
    """Status and output; without a status when the time ran out."""
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        start_new_session=True)
    try:
        text, _ = process.communicate(timeout=limit)
        return process.returncode, text
    except subprocess.TimeoutExpired:
        # Politely first: the torture stops its services and its PostgreSQL.
        os.killpg(process.pid, signal.SIGTERM)
    try:
        text, _ = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text, _ = process.communicate()
    return None, text
