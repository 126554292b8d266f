"""Builds a tree; runs the test, or the round of the torture, that has to notice a mutant."""

import os
import signal
import subprocess

from trees import APART


def build(tree):
    """Builds a changed tree; returns the end of the output if that fails."""
    command = [tree.root / "scripts" / "build", *_location(tree)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return None if result.returncode == 0 else "it does not build:\n" + result.stdout[-2000:]


def run(test, tree, limit):
    """Runs a filter of tests, or without one a short round of the torture; returns status and output.

    The status is None when the time ran out.
    """
    if test:
        bundle = str(tree.scratch / "debug" / "skeinPackageTests.xctest")
        command = [bundle, "--testing-library", "swift-testing", "--no-parallel", "--filter", test]
    else:
        command = [str(tree.scratch / "debug" / "skein-torture"), "--rounds", "1", "--seconds", "1", "--seed", "1"]
    # Not on the server of the tests, which may run meanwhile: each set of migrations replaces the other's template.
    server = {"SKEIN_TEST_SERVER": str(APART / "server")}
    return _output(command, {**os.environ, **tree.environment, **server}, limit)


def _location(tree):
    return ["--package-path", str(tree.root), "--scratch-path", str(tree.scratch)]


def _output(command, environment, limit):
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        start_new_session=True)
    try:
        text, _ = process.communicate(timeout=limit)
        return process.returncode, text
    except subprocess.TimeoutExpired:
        return None, _end(process)
    finally:
        if process.poll() is None:
            _end(process)


def _end(process):
    """Ends a run politely first: the torture stops its services and its PostgreSQL."""
    os.killpg(process.pid, signal.SIGTERM)
    try:
        return process.communicate(timeout=20)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0]
