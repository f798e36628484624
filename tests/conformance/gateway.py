"""gateway.py <folder> <fairlead> <conformance-server> <stdio|http|ws> <server's revision>

Runs the official suite against our server through the gateway, with a client of each revision, and compares the counts
with those of the server without the gateway.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from program import Program
from suite import suite_command

folder, fairlead, server, transport, server_revision = sys.argv[1:]
CLIENTS = ("2025-06-18", "2025-11-25", "2026-07-28")
NEWEST = CLIENTS[-1]

# Scenarios that cannot work across the eras, each with the reason.
NO_COUNTERPART = {
    "input-required-result-basic-elicitation": "a server request of the handshake era has no key",
    "input-required-result-multiple-input-requests": "a handshake server sends its requests one by one",
    "input-required-result-ignore-extra-params": "an answer of the handshake era has no key",
    "input-required-result-capability-check": "a handshake server does not know the capabilities of each caller",
}


def run_suite(suite, url, revision, scratch):
    """The numbers of passed and failed checks per scenario."""
    results = Path(scratch, f"results-{revision}")
    done = subprocess.run(suite + ["server", "--url", url, "--suite", "all", "--spec-version", revision,
                                   "--output-dir", str(results)], capture_output=True, text=True, timeout=240)
    counts = {}
    for name, passed, failed in re.findall(r"[✓✗] ([\w-]+): (\d+) passed, (\d+) failed", done.stdout):
        counts[name] = (int(passed), int(failed))
    if not counts:
        sys.exit(f"the suite did not run:\n{done.stdout}\n{done.stderr}")
    return counts, results


def failures(results):
    for file in sorted(results.glob("*/checks.json")):
        for check in json.loads(file.read_text()):
            if check.get("status") == "FAILURE":
                yield f"{file.parent.name}: {check['id']}: {check.get('errorMessage', '')}"


def upstream(scratch, port):
    if transport == "stdio":
        place = f"command: [{json.dumps(server)}]"
    else:
        place = f"url: {json.dumps(f'http://127.0.0.1:{port}/mcp' if transport == 'http' else f'ws://127.0.0.1:{port}/ws')}"
    config = Path(scratch, "chain.yaml")
    config.write_text(f"listen: {{port: 0}}\nservers:\n  server:\n    {place}\n    revision: '{server_revision}'\n")
    return str(config)


def may_miss(scenario, client):
    if client == NEWEST and server_revision != NEWEST and scenario in NO_COUNTERPART:
        return True
    # Only a server over HTTP can close the connection of a request, and only in one revision.
    return scenario == "server-sse-polling" and (transport != "http" or server_revision != "2025-11-25")


def compare(client, through, direct, results):
    wrong = []
    passed = missed = 0
    for scenario, (fine, _) in direct.items():
        got, failed = through.get(scenario, (0, 1))
        if may_miss(scenario, client):
            missed += fine
        elif failed or got < fine:
            wrong.append(f"{scenario}: {got} passed, {failed} failed; the server itself: {fine} passed")
        else:
            passed += fine
    if wrong:
        wrong += failures(results)
    print(f"through the gateway, server {server_revision} over {transport}, client {client}, in all: "
          f"{passed} of {sum(fine for fine, _ in direct.values()) - missed}" +
          (f" ({missed} without a counterpart)" if missed else ""))
    return wrong


def main():
    suite = suite_command(folder)
    wrong = []
    with tempfile.TemporaryDirectory() as scratch, \
            Program([server, "--port", "0"], r"listening on http://[^ ]*:(\d+)/mcp") as direct:
        config = upstream(scratch, direct.port)
        with Program([fairlead, "serve", "-c", config], r"serving .* on http://[^ ]*:(\d+)/mcp") as gateway:
            for client in CLIENTS:
                here, _ = run_suite(suite, f"http://localhost:{direct.port}/mcp", client, Path(scratch, "direct"))
                there, results = run_suite(suite, f"http://localhost:{gateway.port}/mcp", client, scratch)
                wrong += compare(client, there, here, results)
    if wrong:
        sys.exit("\n".join(wrong))


main()
