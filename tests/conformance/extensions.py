"""extensions.py <folder> <conformance-client> <conformance-server> [list]

Runs every extension scenario of the official suite. Those in the list (not_built.txt) must fail, the others must pass, and
each must have a result. Unknown scenarios in the list are errors.
"""
import re
import subprocess
import sys
from pathlib import Path

from suite import extension_scenarios, run_scenario, suite_command

HERE = Path(__file__).resolve().parent


def not_built(path):
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return {tuple(line.split()) for line in lines if line and not line.startswith("#")}


def start_server(program):
    process = subprocess.Popen([program, "--port", "0"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if found := re.search(r"listening on http://[^ ]*:(\d+)/mcp", line):
            return process, f"http://localhost:{found.group(1)}/mcp"
    sys.exit(f"{program} did not start")


# The suite skips the only check of these scenarios, whatever the server does. Our own tests cover them.
EMPTY = {("server", "tasks-status-notifications")}


def verdict(outcome, is_listed, is_empty):
    """The problem with a scenario, if any."""
    if not outcome.has_result:
        return "has no result"
    if is_empty:
        return None if outcome.is_skipped else "is not skipped by the suite any more: take it off EMPTY"
    if outcome.passed and is_listed:
        return "passes: take it off not_built.txt"
    if not outcome.passed and not is_listed:
        return "fails and is not in not_built.txt"
    return None


def main():
    folder, client, server = sys.argv[1:4]
    listed = not_built(sys.argv[4] if len(sys.argv) > 4 else HERE / "not_built.txt")
    suite = suite_command(folder)
    process, url = start_server(server)
    wrong = []
    try:
        known = {(side, name) for side in ("client", "server") for name in extension_scenarios(suite, side)}
        wrong += [f"{side} {name}: is not a scenario of the suite" for side, name in sorted(listed - known)]
        for side, name in sorted(known):
            place = ("--command", client) if side == "client" else ("--url", url)
            outcome = run_scenario(suite, side, *place, "--scenario", name)
            if reason := verdict(outcome, (side, name) in listed, (side, name) in EMPTY):
                wrong.append(f"{side} {name}: {reason}\n{outcome.printed}")
    finally:
        process.terminate()
        process.wait(30)
    built = len(known) - len(listed & known) - len(EMPTY)
    print(f"extension scenarios built, in all: {built} of {built}; not built: {len(listed & known)}; empty: {len(EMPTY)}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
