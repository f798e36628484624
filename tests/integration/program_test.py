"""usage: program_test.py <program> <version>: what the program says for itself."""
import subprocess
import sys
import unittest

PROGRAM, VERSION = sys.argv[1:3]


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=20)


class Program(unittest.TestCase):
    def test_tells_its_version(self):
        done = run("--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines()[0], f"fairlead {VERSION}")

    def test_tells_the_revisions_it_knows_oldest_first(self):
        revisions = "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28"
        self.assertEqual(run("--version").stdout.splitlines()[1], f"MCP revisions: {revisions}")

    def test_shows_help_when_asked(self):
        for option in ("--help", "-h"):
            done = run(option)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("usage: fairlead", done.stdout)

    def test_shows_help_without_an_argument(self):
        self.assertEqual(run().stdout, run("--help").stdout)

    def test_refuses_what_it_does_not_know(self):
        done = run("--nonsense")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--nonsense", done.stderr)
        self.assertIn("fairlead --help", done.stderr)

    def test_refuses_more_than_it_can_use(self):
        self.assertEqual(run("--version", "--nonsense").returncode, 2)

    def test_fails_when_nobody_can_read_the_answer(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([PROGRAM, "--version"], stdout=full, stderr=subprocess.PIPE, timeout=20)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
