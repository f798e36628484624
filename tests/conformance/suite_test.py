"""suite_test.py <folder> <conformance-client> <conformance-server>: the scripts of this directory detect failures."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from suite import Outcome, listed_scenarios, suite_command

FOLDER, CLIENT, SERVER = sys.argv[1:4]
HERE = Path(__file__).resolve().parent


def run(script, *words):
    return subprocess.run([sys.executable, "-B", HERE / script, FOLDER, *words], capture_output=True, text=True, timeout=600)


class Client(unittest.TestCase):
    def test_Finding_T2_a_scenario_that_the_suite_skips_is_a_failure(self):
        done = run("client.py", CLIENT, "2026-07-28", "tools_call", "auth/dpop")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("failed: auth/dpop, which has no result", done.stdout)
        self.assertNotIn("failed: tools_call", done.stdout)

    def test_a_group_without_scenarios_is_a_failure(self):
        done = run("client.py", CLIENT, "2024-11-05", "auth")
        self.assertIn("lists no scenarios of the group 'auth'", done.stderr)
        self.assertNotEqual(done.returncode, 0)

    def test_a_client_that_does_nothing_meets_no_requirement(self):
        done = run("client.py", "/bin/true", "requirements", "2025-11-25", "18")
        self.assertIn("failed: auth/metadata-default", done.stdout)
        self.assertNotEqual(done.returncode, 0)
        done = run("client.py", "/bin/true", "requirements", "2025-11-25", "17")
        self.assertIn("requires 18 client scenarios", done.stderr)


class Readme(unittest.TestCase):
    def test_its_table_counts_the_scenarios_of_the_suite(self):
        readme = (HERE.parent.parent / "README.md").read_text()
        columns = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "extension"]
        for side in ("server", "client"):
            known = listed_scenarios(suite_command(FOLDER), side)
            counts = [sum(column in tags for tags in known.values()) for column in columns] + [len(known)]
            row = f"| {side} | " + " | ".join(map(str, counts)) + " |"
            self.assertIn(row, [line for line in readme.splitlines() if line.startswith(f"| {side} ")])


class Results(unittest.TestCase):
    def outcome(self, checks, exit_code=0):
        with tempfile.TemporaryDirectory() as folder:
            if checks is not None:
                Path(folder, "checks.json").write_text(checks)
            return Outcome(exit_code, "", folder)

    def test_Finding_T2_only_a_check_that_succeeded_makes_a_scenario_pass(self):
        self.assertTrue(self.outcome('[{"status": "SUCCESS"}, {"status": "INFO"}]').passed)
        self.assertFalse(self.outcome('[{"status": "SUCCESS"}, {"status": "WARNING"}]').passed)
        self.assertFalse(self.outcome('[{"status": "SKIPPED"}]').passed)
        self.assertFalse(self.outcome('[{"status": "SKIPPED"}, {"id": "wire-schema-valid", "status": "SUCCESS"}]').passed)
        self.assertFalse(self.outcome('[]').passed)
        self.assertFalse(self.outcome('[{"status": "SUCCESS"}]', exit_code=1).passed)
        self.assertFalse(self.outcome(None).has_result)


suite_command(FOLDER)
unittest.main(argv=sys.argv[:1])
