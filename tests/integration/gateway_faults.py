#!/usr/bin/env python3
"""Injects random faults around a gateway and checks that it keeps working.

usage: gateway_faults.py <fairlead> [--seconds N] [--clients N] [--seed N] [--without step,…] [--any-memory]

Clients of both eras call, list, listen, answer server requests, use tasks, cancel, send garbage and disconnect at any byte
(random_client.py). Servers change their lists, send requests, stay silent, send garbage and crash (random_server.py).
Child processes are killed, an HTTP server is killed and restarted, and the configuration is reloaded with other servers and
middleware. Exit 0 if every request that was not cut off got its own response or an error, and no child process,
descriptor or memory is left at the end.

The seed determines the random choices of clients, servers and faults, but not their timing.
"""
import argparse
import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter

from raw_mcp_client import Wire, call
from conformance_server import conformance_server
from random_client import Broken, RandomClient

TIMEOUT = 120
ENOUGH = 50     # Answers that each of the two passes needs.
LONGEST = 300   # Seconds that a pass may take longer for them.
RANDOM_SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "random_server.py")
PATHS = ["/mcp", "/mcp", "/s/shared/mcp", "/s/modern/mcp", "/s/own/mcp", "/s/remote/mcp", "/s/ws/mcp", "/s/sse/mcp", "/s/odd/mcp"]
CHAIN = ["redact", "cache", "log", "timeout(20s)"]


def children_of(pid):
    found = subprocess.run(["ps", "-o", "pid=,stat=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(line.split()[0]) for line in found.splitlines() if "Z" not in line.split()[1]]


def memory_of(pid):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def descriptors_of(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def start(words, pattern):
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    printed = ""
    for line in process.stderr:
        printed += line
        if found := re.search(pattern, line):
            return process, int(found.group(1))
    sys.exit(f"{words} did not start: {printed}")


class Gateway:
    def __init__(self, fairlead, seed):
        self.fairlead = fairlead
        self.random = random.Random(seed)
        self.folder = tempfile.TemporaryDirectory()
        self.behind, self.behind_port = start([conformance_server(fairlead), "--http", "127.0.0.1:0"], r":(\d+)/mcp")
        self.file = os.path.join(self.folder.name, "chain.json")
        self.write()
        self.process, self.port = start([fairlead, "serve", "-c", self.file, "--watch"], r"serving .*:(\d+)/mcp")
        self.log = open(os.path.join(self.folder.name, "log"), "w")
        self.copy = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=self.log)

    def flaky_servers(self):
        """Random subset of the servers, for a reload."""
        behind = f"127.0.0.1:{self.behind_port}"
        return {"more": {"command": conformance_server(self.fairlead)}, "ws": {"url": f"ws://{behind}/ws"},
                "sse": {"type": "sse", "url": f"http://{behind}/sse"},
                "odd": {"command": sys.executable, "args": ["-B", RANDOM_SERVER, str(self.random.randrange(1000))], "timeout": "5s"},
                "gone": {"command": "/no/such/program"}}

    def write(self, change=False):
        fixtures = {"command": conformance_server(self.fairlead)}
        servers = {"shared": fixtures | {"revision": "2025-11-25"}, "modern": dict(fixtures), "own": fixtures | {"share": "caller", "idle_stop": "1s"},
                   "remote": {"url": f"http://127.0.0.1:{self.behind_port}/mcp"}}
        config = {"listen": {"port": 0}, "servers": servers}
        if change:
            servers |= {name: server for name, server in self.flaky_servers().items() if self.random.random() < 0.5}
            config["chain"] = [step for step in CHAIN if self.random.random() < 0.5]
        with open(self.file + ".new", "w") as file:
            json.dump(config, file)
        os.replace(self.file + ".new", self.file)

    async def break_something(self):
        what = self.random.choice(["child", "child", "child", "remote", "reload", "reload", "hang up"])
        if what == "child":
            children = children_of(self.process.pid)
            try:
                os.kill(self.random.choice(children), self.random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV]))
            except (IndexError, ProcessLookupError):
                return "nothing"
        elif what == "remote":
            self.behind.kill()
            self.behind.wait()
            words = [conformance_server(self.fairlead), "--http", f"127.0.0.1:{self.behind_port}"]
            self.behind, _ = await asyncio.to_thread(start, words, r":(\d+)/mcp")
        elif what == "reload":
            self.write(change=True)
        else:
            self.process.send_signal(signal.SIGHUP)
        return what


class Pass:
    """One pass of faults: goes on until its time is over and, on a busy machine, until enough calls were answered."""

    def __init__(self, seconds, counts):
        self.counts, self.enough = counts, counts["answered"] + ENOUGH
        self.end = time.monotonic() + seconds
        self.latest = self.end + LONGEST

    def goes_on(self):
        now = time.monotonic()
        return now < self.end or (self.counts["answered"] < self.enough and now < self.latest)


async def keep_conversing(gateway, faults, rng, counts, without):
    while faults.goes_on():
        path = rng.choice(PATHS)
        await RandomClient(gateway.port, path, rng.random() < 0.5, rng, counts, TIMEOUT, without).converse()


async def keep_breaking(gateway, faults, counts):
    while faults.goes_on():
        await asyncio.sleep(gateway.random.random() * 0.5)
        counts["broken: " + await gateway.break_something()] += 1
        if gateway.process.poll() is not None:
            raise Broken(f"the gateway ended with {gateway.process.returncode}")


async def one_pass(gateway, options, seconds, counts):
    faults = Pass(seconds, counts)
    clients = [keep_conversing(gateway, faults, random.Random(options.seed + i), counts, options.without) for i in range(options.clients)]
    await asyncio.gather(keep_breaking(gateway, faults, counts), *clients)
    gateway.write()
    await asyncio.sleep(1)


async def settled(gateway, most_children, most_descriptors):
    """Waits until memory, descriptors and children are back to normal."""
    for _ in range(150):
        children, descriptors = len(children_of(gateway.process.pid)), descriptors_of(gateway.process.pid)
        if children <= most_children and descriptors <= most_descriptors:
            return
        await asyncio.sleep(0.2)
    raise Broken(f"{children} children of at most {most_children}, {descriptors} descriptors of at most {most_descriptors}")


async def still_serves(gateway):
    for path in ("/s/shared/mcp", "/s/modern/mcp", "/s/remote/mcp"):
        for attempt in range(40):
            client = Wire(gateway.port, path, True, TIMEOUT)
            await client.open()
            status, answer = await client.exchange(call(1, "echo", {"text": "alive"}, True))
            client.abort()
            if answer and answer.get("result", {}).get("content", [{}])[0].get("text") == "alive":
                break
            await asyncio.sleep(1)
        else:
            raise Broken(f"{path} does not come back: {status} {answer}")


def report_of(path):
    """The sanitizer report in a log, or its last lines."""
    lines = open(path, errors="replace").readlines()
    for at, line in enumerate(lines):
        if re.search(r"ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|runtime error:", line):
            return [each[:300].rstrip() + "\n" for each in lines[at:at + 80]]
    return lines[-40:]


async def run(options):
    gateway = Gateway(options.fairlead, options.seed)
    counts = Counter()
    try:
        await one_pass(gateway, options, options.seconds / 2, counts)
        await still_serves(gateway)
        memory = memory_of(gateway.process.pid)
        await one_pass(gateway, options, options.seconds / 2, counts)
        await still_serves(gateway)
        # One per shared server, one for callers without a session, and pipes for each.
        await settled(gateway, 4, 60)
        grown = memory_of(gateway.process.pid) / memory
        print(f"{dict(counts)}; memory grew to {grown:.2f} times")
        if grown > 1.2 and not options.any_memory:
            raise Broken(f"memory grew to {grown:.2f} times")
        children = children_of(gateway.process.pid)
        gateway.process.terminate()
        if (code := gateway.process.wait(30)) != 0:
            raise Broken(f"it ended with {code}")
        left = [pid for pid in children if os.path.exists(f"/proc/{pid}")]
        if left:
            raise Broken(f"children are left: {left}")
        if counts["answered"] < 2 * ENOUGH:
            raise Broken(f"hardly anything was answered: {dict(counts)}")
    except Broken as wrong:
        gateway.process.kill()
        gateway.copy.wait(TIMEOUT)
        sys.exit(f"seed {options.seed}: {wrong}\n{dict(counts)}\n" + "".join(report_of(gateway.log.name)))
    finally:
        gateway.process.kill()
        gateway.behind.kill()
        gateway.copy.kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fairlead")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    parser.add_argument("--without", type=lambda text: text.split(","), default=[], help="steps of random_client.py to leave out")
    parser.add_argument("--any-memory", action="store_true")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    asyncio.run(run(options))


main()
