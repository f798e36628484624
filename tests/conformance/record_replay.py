"""record_replay.py <folder> <fairlead> <conformance-server> <client's revision>

Records the official suite against our server and replays the recording: as client without differences, and as server
with the same suite results.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from suite import suite_command

folder, fairlead, server, revision = sys.argv[1:]


def served(words, scratch, name):
    """Runs the suite against the server that these arguments start. Returns its counts."""
    process = subprocess.Popen([fairlead, *words], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        printed = ""
        for line in process.stderr:
            printed += line
            if found := re.search(r"serving .* on http://[^ ]*:(\d+)/mcp", line):
                break
        else:
            sys.exit(f"{words} did not start: {printed}")
        done = subprocess.run(suite_command(folder) + [
            "server", "--url", f"http://localhost:{found.group(1)}/mcp", "--suite", "all", "--spec-version", revision,
            "--output-dir", str(Path(scratch, name))], capture_output=True, text=True, timeout=240)
    finally:
        process.terminate()
        rest = process.stderr.read()
        process.wait(20)
    counts = re.findall(r"[✓✗] ([\w-]+): (\d+) passed, (\d+) failed", done.stdout)
    if not counts:
        sys.exit(f"the suite did not run:\n{done.stdout}\n{done.stderr}")
    return dict((scenario, (passed, failed)) for scenario, passed, failed in counts), rest


def main():
    with tempfile.TemporaryDirectory() as scratch:
        recording = str(Path(scratch, "suite.mcpl"))
        then, _ = served(["record", "-o", recording, "--port", "0", "--", server], scratch, "then")
        client = subprocess.run([fairlead, "replay", recording, "--as-client", "--", server], capture_output=True,
                                text=True, timeout=240)
        now, printed = served(["replay", recording, "--as-server", "--port", "0"], scratch, "now")
        wrong = [f"{each}: {now.get(each)} instead of {count}" for each, count in then.items() if now.get(each) != count]
        print(f"recorded in {revision}: {len(then)} scenarios, as client: {client.stdout.splitlines()[-1:]}, "
              f"as server: {len(wrong)} differences")
        if wrong:
            sys.exit("\n".join(wrong) + "\n" + printed[-4000:])
        if client.returncode != 0:
            sys.exit(client.stdout + client.stderr)


main()
