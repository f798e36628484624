#!/usr/bin/env python3
"""One gateway with hostile servers and clients, and a hundred well-behaved clients beside them.

usage: hostile_peers.py <fairlead> [--clients N] [--calls N] [--servers …] [--kinds …] [--memory MB] [--any-memory]
       hostile_peers.py <fairlead> --hold [--servers …] [--kinds …] [--cores <gateway> <peers>]

Servers flood, never read and never answer; clients flood, never read and hang. Exit 0 if every good call got the right
response, the gateway never used more memory than --memory, it exited on SIGTERM, and no child process was left.
--servers and --kinds select hostile servers and clients by name, separated by commas; empty means none. --hold is for
./dev bench: it starts the hostile peers, prints the URL of the good server, and runs until stdin ends. --cores pins the
gateway and its good server to one core and the hostile peers to another, where they have the lowest priority: they take
what the load driver leaves.
"""
import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import hostile_clients
from raw_mcp_client import Wire, call, initialize

HERE = os.path.dirname(os.path.abspath(__file__))
SERVERS = ("flood", "deaf", "mute", "stream")
TIMEOUT = 120      # Seconds for one good call: on a busy machine, and with sanitizers.
END_TIMEOUT = 30   # Seconds from SIGTERM to the exit; docs/limits.md.
MEMORY = 512        # Maximum memory of the gateway in MB; docs/limits.md.


def hostile_server(mode, cores):
    alone = ["taskset", "-c", cores[1], "nice", "-n", "19"] if cores else []
    return [*alone, sys.executable, "-B", os.path.join(HERE, "hostile_server.py"), mode]


def status_of(pid, name):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith(name + ":"):
            return int(line.split()[1])
    return 0


def children_of(pid):
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(word) for word in found.split()]


class Gateway:
    """The gateway with a good server and hostile ones. A context manager that stops it."""

    def __init__(self, fairlead, hostile, cores=None):
        self.folder = tempfile.TemporaryDirectory()
        self.stream = None
        servers = {"good": {"command": [fairlead, "demo"]}}
        for mode in hostile:
            command = hostile_server(mode, cores)
            servers[mode] = {"command": command} if mode != "stream" else {"url": self.start_stream(command)}
        path = os.path.join(self.folder.name, "gateway.json")
        with open(path, "w") as file:
            json.dump({"listen": {"port": 0}, "servers": servers}, file)
        self.log = open(os.path.join(self.folder.name, "log"), "w+")
        alone = ["taskset", "-c", cores[0]] if cores else []
        self.process = subprocess.Popen([*alone, fairlead, "serve", "-c", path], stdin=subprocess.DEVNULL, stderr=self.log)
        self.port = self.find_port()

    def start_stream(self, command):
        self.stream = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        return f"http://127.0.0.1:{int(self.stream.stdout.readline())}/mcp"

    def printed(self):
        with open(self.log.name, errors="replace") as file:
            return file.read()

    def find_port(self):
        last = time.monotonic() + TIMEOUT
        while time.monotonic() < last and self.process.poll() is None:
            if found := re.search(r"serving .*:(\d+)/mcp", self.printed()):
                return int(found.group(1))
            time.sleep(0.05)
        sys.exit(f"the gateway did not start: {self.printed()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in (self.process, self.stream):
            if process and process.poll() is None:
                process.kill()
                process.wait()
        if self.stream:
            self.stream.stdout.close()
        self.log.close()
        self.folder.cleanup()


class Verdict:
    """Counts and problems of a run."""

    def __init__(self):
        self.answered, self.wrong, self.seconds = 0, [], []

    def p(self, share):
        return sorted(self.seconds)[int(len(self.seconds) * share)] * 1000 if self.seconds else 0.0


async def good_client(port, number, calls, verdict):
    modern, path = number % 2 == 0, "/mcp" if number % 10 == 0 else "/s/good/mcp"
    wire = Wire(port, path, modern, TIMEOUT)
    try:
        await wire.open()
        if not modern:
            await wire.exchange(initialize())
        for id in range(calls):
            text, began = f"{number}/{id}", time.monotonic()
            status, answer = await wire.exchange(call(id, "echo", {"text": text}, modern))
            verdict.seconds.append(time.monotonic() - began)
            if status == 200 and answer["id"] == id and answer["result"]["content"][0]["text"] == text:
                verdict.answered += 1
            else:
                verdict.wrong.append(f"client {number} at {path}, call {id}: {status} {answer}")
    except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError, KeyError, TypeError) as trouble:
        verdict.wrong.append(f"client {number} at {path}: {type(trouble).__name__} {trouble}")
    finally:
        wire.abort()


async def good_calls(gateway, clients, calls):
    verdict = Verdict()
    await asyncio.gather(*[good_client(gateway.port, number, calls, verdict) for number in range(clients)])
    return verdict


def begin_hostilities(gateway, servers, kinds):
    jobs = [hostile_clients.KINDS[kind](gateway.port) for kind in kinds]
    jobs += [hostile_clients.calls(gateway.port, server) for server in servers for _ in range(2)]
    return [asyncio.create_task(job) for job in jobs]


async def end(gateway, wrong):
    """Stops the gateway while all clients are connected. Returns the seconds that it took."""
    children = children_of(gateway.process.pid)
    began = time.monotonic()
    gateway.process.send_signal(signal.SIGTERM)
    try:
        code = await asyncio.to_thread(gateway.process.wait, END_TIMEOUT)
        if code != 0:
            wrong.append(f"SIGTERM: it ended with {code}")
    except subprocess.TimeoutExpired:
        wrong.append(f"SIGTERM: it had not ended after {END_TIMEOUT} s")
    left = [pid for pid in children if os.path.exists(f"/proc/{pid}")]
    if left:
        wrong.append(f"children are left: {left}")
    return time.monotonic() - began


async def hold(options):
    servers, kinds = chosen(options)
    with Gateway(options.fairlead, servers, options.cores) as gateway:
        if options.cores:
            os.sched_setaffinity(0, {int(options.cores[1])})
            os.nice(19)
        hostile = begin_hostilities(gateway, servers, kinds)
        await good_calls(gateway, 1, 1)
        await asyncio.sleep(2)
        print(f"http://127.0.0.1:{gateway.port}/s/good/mcp", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        for job in hostile:
            job.cancel()
        await asyncio.gather(*hostile, return_exceptions=True)


def chosen(options):
    return [[name for name in text.split(",") if name] for text in (options.servers, options.kinds)]


async def run(options):
    servers, kinds = chosen(options)
    with Gateway(options.fairlead, servers) as gateway:
        quiet = await good_calls(gateway, options.clients, options.calls)
        hostile = begin_hostilities(gateway, servers, kinds)
        # The hostile peers need a moment to start; calls are counted from the beginning.
        await asyncio.sleep(2)
        beside = await good_calls(gateway, options.clients, options.calls)
        wrong = quiet.wrong + beside.wrong
        alive = gateway.process.poll() is None
        memory = status_of(gateway.process.pid, "VmHWM") / 1024 if alive else 0
        took = await end(gateway, wrong) if alive else 0
        if not alive:
            wrong.append(f"the gateway exited with {gateway.process.returncode}")
        for job in hostile:
            job.cancel()
        await asyncio.gather(*hostile, return_exceptions=True)
        total = 2 * options.clients * options.calls
        if memory > options.memory and not options.any_memory:
            wrong.append(f"memory: {memory:.0f} MB of at most {options.memory} MB")
        print(f"good calls answered, in all: {quiet.answered + beside.answered} of {total}; "
              f"p99 {quiet.p(0.99):.1f} ms quiet, {beside.p(0.99):.1f} ms beside hostile ones; at most {memory:.0f} MB; "
              f"ended {took:.1f} s after SIGTERM", flush=True)
        if wrong:
            sys.exit("\n".join(wrong[:20] + [f"… {len(wrong)} in all", "The gateway's last lines:"]
                               + gateway.printed().splitlines()[-20:]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fairlead")
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument("--servers", default=",".join(SERVERS))
    parser.add_argument("--kinds", default=",".join(hostile_clients.KINDS))
    parser.add_argument("--memory", type=float, default=MEMORY)
    parser.add_argument("--any-memory", action="store_true", help="sanitizers keep what was freed")
    parser.add_argument("--hold", action="store_true")
    parser.add_argument("--cores", nargs=2)
    options = parser.parse_args()
    # A signal that ends this test also ends its child processes.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    asyncio.run(hold(options) if options.hold else run(options))


if __name__ == "__main__":
    main()
