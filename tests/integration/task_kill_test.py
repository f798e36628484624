#!/usr/bin/env python3
"""Kills a server with tasks in files again and again, and checks that each task ends and no step runs twice.

usage: task_kill_test.py <task_server> [--kills N] [--tasks N] [--seed N]
"""
import argparse
import collections
import os
import pathlib
import random
import signal
import sys
import tempfile
import time

from server_process import ServerProcess

EXTENSION = "io.modelcontextprotocol/tasks"
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {EXTENSION: {}}}}
INTERRUPTED = "is not repeated"


class Peer:
    """A server process, and the tasks that its callers wait for."""

    def __init__(self, command):
        self.command = command
        self.server = None
        self.open = {}  # Name by task id.
        self.ended = {}  # Name to the text of the result.
        self.started = 0

    def start(self):
        self.server = ServerProcess(*self.command)

    def kill(self):
        self.server.process.send_signal(signal.SIGKILL)
        self.server.__exit__()

    def request(self, method, params):
        reply = self.server.request(method, params | {"_meta": META})
        assert "result" in reply, (method, params, reply)
        return reply["result"]

    def begin(self):
        """A task whose handle arrived must not get lost."""
        self.started += 1
        name = f"task-{self.started}"
        handle = self.request("tools/call", {"name": "work", "arguments": {"name": name}})
        assert handle["resultType"] == "task", handle
        self.open[handle["taskId"]] = name

    def poll(self, task):
        state = self.request("tasks/get", {"taskId": task})
        assert state["status"] in ("working", "completed"), state
        if state["status"] == "completed":
            self.ended[self.open.pop(task)] = state["result"]["content"][0]["text"]


def check(peer, effects):
    lines = collections.Counter(effects.read_text().splitlines())
    twice = [line for line, count in lines.items() if count > 1]
    assert not twice, f"ran twice: {twice}"
    interrupted = 0
    for name, text in peer.ended.items():
        if text == f"{name} done":
            missing = [step for step in ("first", "second", "third") if f"{name} {step}" not in lines]
            assert not missing, f"{name} ended without {missing}"
        else:
            assert INTERRUPTED in text, (name, text)
            interrupted += 1
    return interrupted


def run(options, folder):
    effects = folder / "effects"
    effects.touch()
    peer = Peer([options.server, str(folder / "tasks"), str(effects)])
    rng = random.Random(options.seed)
    for kill in range(options.kills):
        peer.start()
        while len(peer.open) < options.tasks:
            peer.begin()
        until = time.monotonic() + rng.uniform(0, 0.1)
        for task in list(peer.open):
            peer.poll(task)
            if time.monotonic() > until:
                break
        peer.kill()
        if kill % 100 == 99:
            print(f"{kill + 1} kills: {len(peer.ended)} tasks ended", file=sys.stderr, flush=True)
    peer.start()
    deadline = time.monotonic() + 300
    while peer.open:
        assert time.monotonic() < deadline, f"tasks that do not end: {list(peer.open.values())}"
        for task in list(peer.open):
            peer.poll(task)
    peer.kill()
    interrupted = check(peer, effects)
    print(f"{options.kills} kills: {peer.started} tasks, none lost, no step run twice; "
          f"{interrupted} ended because a step was interrupted")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    arguments = parser.parse_args()
    print("seed", arguments.seed, flush=True)
    # A killed process loses nothing that it has written, so memory serves as well as a disk, and faster.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as path:
        run(arguments, pathlib.Path(path))
