"""usage: docs_test.py <example: custom_transport>: the documentation matches code and tests."""
import fnmatch
import re
import subprocess
import sys
import unittest
from pathlib import Path

EXAMPLE = sys.argv[1]
ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "transports.md").read_text(encoding="utf-8")


def sections():
    return dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


class Transports(unittest.TestCase):
    def test_S2_47_each_transport_describes_connection_and_order(self):
        factories = set()
        for header in (ROOT / "include" / "fairlead" / "transport").glob("*.hpp"):
            text = header.read_text(encoding="utf-8")
            factories |= set(re.findall(r"\b(connect_\w+|\w+_transport|memory_\w*pair)\(", text))
            factories |= set(re.findall(r"^class (\w+Transport|\w+Listener) (?:final : public Transport )?\{", text, re.MULTILINE))
        factories -= {"FramedTransport", "Transport"}
        self.assertGreater(len(factories), 6)
        described = {name: text for title, text in sections().items() for name in re.findall(r"`(\w+)`", title)}
        self.assertEqual(factories - set(described), set())
        for name in factories:
            self.assertIn("Connection:", described[name])
            self.assertIn("Exchange:", described[name])

    def test_S2_47_the_custom_transport_example_works(self):
        source = (ROOT / "examples" / "custom_transport.cpp").read_text(encoding="utf-8")
        self.assertLess(len(source.splitlines()), 60)
        self.assertIn("examples/custom_transport.cpp", sections()["Your own"])
        self.assertEqual(subprocess.run([EXAMPLE], timeout=60).returncode, 0)

    def test_S4_10_the_page_says_which_transport_to_choose(self):
        rows = [row for row in sections()["Which one"].splitlines() if row.startswith("|")]
        self.assertTrue(any("development" in row and "tests" in row and "stdio" in row for row in rows))
        self.assertTrue(any("network" in row and "production" in row and "Streamable HTTP" in row for row in rows))


class Security(unittest.TestCase):
    def test_every_listed_attack_names_existing_tests(self):
        tests = set()
        for path in (ROOT / "tests").rglob("*.cpp"):
            tests |= {".".join(names) for names in re.findall(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", path.read_text(), re.MULTILINE)}
            tests.add(path.stem)
        for path in (ROOT / "tests" / "integration").glob("*.py"):
            tests |= {path.name, *re.findall(r"^    def (test_\w+)", path.read_text(), re.MULTILINE)}
        page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
        rows = [row.split("|") for row in page.splitlines() if row.startswith("| ") and "tested by" not in row]
        self.assertGreater(len(rows), 30)
        for _, attack, _, named, _ in rows:
            for name in re.findall(r"`([^`]+)`", named):
                self.assertTrue(fnmatch.filter(tests, name), f"{attack.strip()}: there is no test {name}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
