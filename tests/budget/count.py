"""usage: count.py <program> <echo_server>: counts the instructions and the calls of services for each tool call.

valgrind counts the instructions of the server in user space. Each measurement runs twice, with few and with many calls;
the difference is the cost of the calls without the start and end of the program. Figures differ between compilers by a
few percent and between runs by a few tenths. `./dev count` prints them; as a test, they must stay within LIMITS.

On a busy machine a peer may answer late, so that the server waits more often than it does alone, which costs
instructions. A measurement above its limit is therefore repeated, up to ROUNDS times.
"""
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

PROGRAM, ECHO_SERVER = map(os.path.abspath, sys.argv[1:3])
TIMEOUT = 300
ROUNDS = 6
FEW, MANY = 100, 400
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/mcp")
# Functions that pass a call on: Service::call and Middleware::call.
SERVICE_CALL = re.compile(r"::call\(fairlead::session::Call&(, fairlead::session::Service&)?\)$")

# The C library chooses functions by the processor, which changes the counts a little.
TOLERANCE = 1.02
# Thousands of instructions a call.
LIMITS = {
    "session": 20,
    "stateless": 24,
    "gateway to a child": 42,
    "gateway between HTTP ends": 48,
}
# Instructions of a tool that is a coroutine and waits once, in relation to a plain one.
WAITING_TOOL = 1.32
# Calls of services on the way of a call through two middlewares to a child.
SERVICE_CALLS = 12


class Server:
    """A server over HTTP. With a file, valgrind writes its profile there at the end."""

    def __init__(self, *command, profile=None):
        self.profile = profile
        valgrind = ["valgrind", "-q", "--tool=callgrind", "--compress-strings=no", f"--callgrind-out-file={profile}"]
        self.process = subprocess.Popen([*(valgrind if profile else []), *command], stdin=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        printed = ""
        for line in self.process.stderr:
            printed += line
            if found := ADDRESS.search(line):
                self.url = found.group()
                return
        raise AssertionError(f"the server did not start: {printed}")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.stderr.read()
        self.process.wait(TIMEOUT)
        self.process.stderr.close()


class Child:
    """A server on stdio, reached by a Unix socket: valgrind does not know the system calls that watch a child process."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "server")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                subprocess.Popen([PROGRAM, "demo"], stdin=connection, stdout=connection, stderr=subprocess.DEVNULL).wait()

    def end(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.listener.close()
        self.folder.cleanup()


def read_profile(path):
    """Returns the instructions, and the number of calls of each function that is called by another."""
    total, calls, called = 0, {}, None
    with open(path) as file:
        for line in file:
            if line.startswith("cfn="):
                called = line[4:].strip()
            elif line.startswith("calls="):
                calls[called] = calls.get(called, 0) + int(line[6:].split()[0])
            elif line.startswith(("totals:", "summary:")):
                total = max(total, int(line.split()[1]))
    return total, calls


class Cost:
    """The instructions and service calls of one tool call."""

    def __init__(self, command, options=()):
        few, many = (self.profile(command, options, calls) for calls in (FEW, MANY))
        self.instructions = (many[0] - few[0]) / (MANY - FEW)
        names = [name for name in many[1] if SERVICE_CALL.search(name)]
        self.services = {name: (many[1][name] - few[1].get(name, 0)) / (MANY - FEW) for name in names}

    @staticmethod
    def profile(command, options, calls):
        with tempfile.TemporaryDirectory() as folder:
            server = Server(*command, profile=os.path.join(folder, "profile"))
            try:
                subprocess.run([PROGRAM, "bench", "--unchecked", "--warm", "0", "--connections", "1", "--calls",
                                str(calls), *options, server.url], check=True, capture_output=True, timeout=TIMEOUT)
            finally:
                server.end()
            return read_profile(server.profile)


def least(measure, limit):
    """The first figure within the limit, or the least of ROUNDS."""
    figures = []
    while len(figures) < ROUNDS:
        figures.append(measure())
        if figures[-1] <= limit:
            break
    return min(figures)


class Instructions(unittest.TestCase):
    def check(self, name, command, options=()):
        limit = LIMITS[name] * TOLERANCE
        thousands = least(lambda: Cost(command, options).instructions / 1000, limit)
        print(f"{name}: {thousands:.1f} thousand instructions a call; limit {LIMITS[name]}")
        self.assertLessEqual(thousands, limit)

    def test_a_session(self):
        self.check("session", [PROGRAM, "demo", "--http", "127.0.0.1:0"])

    def test_stateless_requests(self):
        self.check("stateless", [PROGRAM, "demo", "--http", "127.0.0.1:0"], ["--stateless"])

    def test_a_tool_that_waits(self):
        plain = Cost([ECHO_SERVER], ["text=hello"]).instructions
        waiting = ["--tool", "echo_later", "text=hello"]
        ratio = least(lambda: Cost([ECHO_SERVER], waiting).instructions / plain, WAITING_TOOL)
        print(f"a tool that waits once: {ratio:.2f} of a plain one; limit {WAITING_TOOL}")
        self.assertLessEqual(ratio, WAITING_TOOL)

    def test_the_gateway_to_a_child(self):
        child = Child()
        self.addCleanup(child.end)
        self.check("gateway to a child", [PROGRAM, f"http://127.0.0.1:0 | unix:{child.path}"])

    def test_the_gateway_between_http_ends(self):
        server = Server(PROGRAM, "demo", "--http", "127.0.0.1:0")
        self.addCleanup(server.end)
        self.check("gateway between HTTP ends", [PROGRAM, f"http://127.0.0.1:0 | {server.url}"])


class Services(unittest.TestCase):
    def test_two_middlewares_before_a_child(self):
        child = Child()
        self.addCleanup(child.end)
        cost = Cost([PROGRAM, f"http://127.0.0.1:0 | timeout(1m) | limit(1000000/s) | unix:{child.path}"])
        for name, calls in sorted(cost.services.items(), key=lambda item: -item[1]):
            if calls > 0.5:
                print(f"{calls:5.2f} {name}")
        calls = sum(cost.services.values())
        print(f"two middlewares before a child: {calls:.1f} calls of services; limit {SERVICE_CALLS}")
        self.assertLessEqual(round(calls, 1), SERVICE_CALLS)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
