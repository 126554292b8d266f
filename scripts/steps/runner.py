"""Runs steps side by side."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / ".build" / "steps"
# For two cores: more steps would only share them.
LANES = 2
LAST_LINES = 16


@dataclass(frozen=True)
class Step:
    name: str
    command: str
    # The steps that must have passed.
    needs: tuple[str, ...] = ()
    # Shown while it runs, not afterwards.
    is_live: bool = False


class Runner:
    def __init__(self, steps):
        self._waiting = list(steps)
        self._running = {}
        self._ended = {}
        self._start = time.monotonic()

    def run(self):
        """Runs all steps, prints their times, and returns the exit status."""
        LOGS.mkdir(parents=True, exist_ok=True)
        try:
            while self._waiting or self._running:
                self._begin()
                if self._running:
                    self._wait()
        finally:
            end([run.process for run in self._running.values()])
        self._report()
        return 0 if all(status == 0 for status, _ in self._ended.values()) else 1

    def _begin(self):
        for step in list(self._waiting):
            states = [self._ended.get(name, (None, 0))[0] for name in step.needs]
            if any(state not in (None, 0) for state in states):
                self._waiting.remove(step)
                self._ended[step.name] = ("left out", 0)
            elif all(state == 0 for state in states) and len(self._running) < LANES:
                self._waiting.remove(step)
                self._start_one(step)

    def _start_one(self, step):
        print(f"=== {step.name}: {step.command}", flush=True)
        with log(step.name).open("wb") as output:
            process = subprocess.Popen(
                step.command, shell=True, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True)
        self._running[step.name] = Run(step, process)

    def _wait(self):
        """Waits until a step ends."""
        while True:
            for name, run in list(self._running.items()):
                status = run.process.poll()
                if run.step.is_live:
                    run.show_more()
                if status is not None:
                    del self._running[name]
                    run.show_more()
                    print(f"=== {name}: {verdict(status)} after {clock(run.seconds()).strip()}", flush=True)
                    self._ended[name] = (status, run.seconds())
                    return
            time.sleep(0.2)

    def _report(self):
        width = max(map(len, self._ended))
        failed = [name for name, (status, _) in self._ended.items() if status not in (0, "left out")]
        for name in failed:
            # Once more at the end, for those who keep only the end of the output.
            print(f"\n=== {name}: the end of its output", flush=True)
            show(b"".join(log(name).read_bytes().splitlines(keepends=True)[-LAST_LINES:]))
        print("\nstep".ljust(width + 1), "   time", flush=True)
        for name, (status, seconds) in self._ended.items():
            note = "" if status == 0 else f"  {verdict(status)}"
            print(f"{name.ljust(width)} {clock(seconds)}{note}", flush=True)
        print(f"{'all'.ljust(width)} {clock(time.monotonic() - self._start)}", flush=True)


class Run:
    """A running step, and how much of its output has been shown."""

    def __init__(self, step, process):
        self.step, self.process = step, process
        self._start = time.monotonic()
        self._shown = 0

    def seconds(self):
        return time.monotonic() - self._start

    def show_more(self):
        with log(self.step.name).open("rb") as output:
            output.seek(self._shown)
            more = output.read()
        self._shown += len(more)
        show(more)


def show(output):
    sys.stdout.buffer.write(output)
    sys.stdout.buffer.flush()


def verdict(status):
    return {0: "passed", "left out": "left out"}.get(status, f"FAILED (status {status})")


def log(name):
    return LOGS / (name.replace(" ", "-") + ".log")


def clock(seconds):
    return f"{int(seconds) // 60:4}:{int(seconds) % 60:02}"


def end(processes):
    """Ends all steps: with SIGTERM, after 30 seconds with SIGKILL. Ignores signals meanwhile."""
    running = [process for process in processes if process.poll() is None]
    if not running:
        return
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for process in running:
        signal_session(process.pid, signal.SIGTERM)
    for process in running:
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            pass
        # Processes that the step started may have groups of their own, but share its session.
        signal_session(process.pid, signal.SIGKILL)
        process.wait()


def signal_session(session, number):
    """Signals every process of a session."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if os.getsid(int(entry.name)) == session:
                os.kill(int(entry.name), number)
        except (ProcessLookupError, PermissionError):
            pass
