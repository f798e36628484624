"""Shared code of the scripts in this directory: the official suite, and the outcome of a scenario."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TIMEOUT = 240


def suite_command(folder):
    """Exits with 77, which means "skipped" for ctest, if the packages of tests/interop are not installed."""
    nodes = sorted(Path(folder).glob("node_modules/node-linux-*/bin/node"))
    index = Path(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
    if not nodes or not index.exists():
        print(f"skipped: the packages of tests/interop are not installed in {folder}; ./dev test does that")
        sys.exit(77)
    return [str(nodes[0]), str(index)]


# Checks that run in every scenario.
GENERAL = "wire-schema-valid"


class Outcome:
    """The outcome of one scenario. Passed if one of its own checks succeeded and none failed or warned. If a peer does not
    declare an extension, the suite skips the checks and still exits with 0."""

    def __init__(self, exit_code, printed, results):
        self.printed = printed
        self.checks = [check for file in Path(results).rglob("checks.json") for check in json.loads(file.read_text())]
        self.has_result = any(Path(results).rglob("checks.json"))
        own = {check.get("status") for check in self.checks if check.get("id") != GENERAL}
        every = {check.get("status") for check in self.checks}
        self.is_skipped = exit_code == 0 and own == {"SKIPPED"}
        self.passed = exit_code == 0 and "SUCCESS" in own and not {"FAILURE", "WARNING"} & every

    @classmethod
    def of(cls, results, name, done):
        """One scenario of a run with several. The suite names its folder after the scenario and the time."""
        folders = list(Path(results).glob(f"{name}-[0-9]*"))
        return cls(done.returncode, done.stdout + done.stderr, folders[0] if len(folders) == 1 else Path(results, "none"))


def run_suite(suite, results, *words):
    return subprocess.run([*suite, *words, "--output-dir", results], capture_output=True, text=True, timeout=TIMEOUT)


def run_scenario(suite, *words):
    with tempfile.TemporaryDirectory() as results:
        done = run_suite(suite, results, *words)
        return Outcome(done.returncode, done.stdout + done.stderr, results)


def list_with(suite, *words):
    done = subprocess.run([*suite, "list", *words], capture_output=True, text=True, timeout=TIMEOUT, check=True)
    return done.stdout


def listed_scenarios(suite, side):
    """All scenarios of the suite, each with its revisions or `extension`."""
    found = re.findall(r"^\s*- (\S+) \[(\S+)\]$", list_with(suite, f"--{side}"), re.MULTILINE)
    return {name: tags.split(",") for name, tags in found}


def extension_scenarios(suite, side):
    """The names of the extension scenarios. They have no revision, so the suite skips them if a revision is given."""
    return [name for name, tags in listed_scenarios(suite, side).items() if tags == ["extension"]]


def required_scenarios(suite, side, revision):
    """The names of the scenarios that count for a revision."""
    scored = list_with(suite, f"--{side}", "--requirements", revision).split("never scored")[0]
    part = re.search(rf"^{side.capitalize()} scenarios[^\n]*\n((?:\s*- \S+\n)*)", scored, re.MULTILINE)
    return re.findall(r"- (\S+)", part.group(1)) if part else []
