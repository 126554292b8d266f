"""Tests of the runner: python3 -m unittest discover --start-directory scripts/steps"""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

import runner  # noqa: E402
from plans import PLANS  # noqa: E402
from runner import Runner, Step  # noqa: E402


class RunnerTests(unittest.TestCase):
    def outcome(self, *steps):
        """The exit status, and what is printed."""
        output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(runner, "LOGS", Path(folder)), \
                contextlib.redirect_stdout(output):
            status = Runner(steps).run()
        output.flush()
        return status, output.buffer.getvalue().decode()

    def test_all_pass_in_the_order_of_their_needs(self):
        status, text = self.outcome(Step("second", "echo two", ("first",)), Step("first", "echo one"))
        self.assertEqual(status, 0)
        self.assertLess(text.index("\none\n"), text.index("\ntwo\n"))

    def test_a_failure_leaves_out_what_needs_it_and_nothing_else(self):
        status, text = self.outcome(
            Step("broken", "exit 3"), Step("needy", "echo never", ("broken",)),
            Step("needier", "echo never", ("needy",)), Step("other", "echo done"))
        self.assertEqual(status, 1)
        self.assertNotIn("\nnever\n", text)
        self.assertIn("\ndone\n", text)
        for line in ("broken +0:00  FAILED .status 3.", "needy +0:00  left out", "needier +0:00  left out"):
            self.assertRegex(text, line)

    def test_what_a_failed_step_said_last_is_shown_again_at_the_end(self):
        for is_live in (False, True):
            status, text = self.outcome(
                Step("broken", "seq 100 200; exit 1", is_live=is_live), Step("other", "echo done"))
            self.assertEqual(status, 1)
            self.assertEqual(text.count("\n200\n"), 2)
            self.assertEqual(text.count("\n100\n"), 1)
            self.assertGreater(text.rindex("\n200\n"), text.index("\ndone\n"))

    def test_two_run_at_a_time(self):
        # Each waits for the other's file.
        with tempfile.TemporaryDirectory() as folder:
            meet = f"touch {folder}/$0; until [ -e {folder}/$1 ]; do sleep 0.05; done"
            status, _ = self.outcome(
                Step("a", f"sh -c '{meet}' a b"), Step("b", f"sh -c '{meet}' b a"))
        self.assertEqual(status, 0)

    def test_every_need_is_a_step_before_it(self):
        for plan in PLANS.values():
            for index, step in enumerate(plan):
                self.assertLessEqual(set(step.needs), {other.name for other in plan[:index]}, step.name)


if __name__ == "__main__":
    unittest.main()
