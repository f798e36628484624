"""Shared code of the gateway tests: a running gateway, a client, and a directory for files."""
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
TIMEOUT = 60


class Running:
    """A running gateway; keeps its stderr."""

    def __init__(self, *words, env=None):
        self.process = subprocess.Popen([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                        text=True, env=env)
        self.follow()

    def follow(self):
        self.lines = []
        self.more = threading.Condition()
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()

    def listen(self):
        for line in self.process.stderr:
            with self.more:
                self.lines.append(line)
                self.more.notify_all()

    def printed(self):
        with self.more:
            return "".join(self.lines)

    def wait_for(self, pattern):
        """Waits until stderr matches the pattern. Returns the match."""
        with self.more:
            found = self.more.wait_for(lambda: re.search(pattern, "".join(self.lines)), TIMEOUT)
        if not found:
            raise AssertionError(f"never printed {pattern}: {self.printed()}")
        return re.search(pattern, self.printed())

    def wait(self):
        """Waits for the exit and returns the exit code. After that, `printed` has the complete stderr."""
        code = self.process.wait(TIMEOUT)
        self.listener.join(TIMEOUT)
        return code

    def port(self):
        return int(self.wait_for(r"serving .*?http://127\.0\.0\.1:(\d+)").group(1))

    def stop(self):
        self.process.terminate()
        code = self.wait()
        self.process.stderr.close()
        return code


class Session:
    """A client of the handshake era over HTTP."""

    def __init__(self, port, path="/mcp"):
        self.port, self.path, self.headers = port, path, {}
        self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                "clientInfo": {"name": "test", "version": "1"}})
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def post(self, message):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        connection.request("POST", self.path, json.dumps(message), headers | self.headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        self.answered = answer.headers
        if session := answer.getheader("Mcp-Session-Id"):
            self.headers = {"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25"}
        connection.close()
        return answer.status, text

    def request(self, method, params=None):
        _, text = self.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}})
        if not text.startswith("{"):
            text = [line[5:] for line in text.splitlines() if line.startswith("data:")][-1]
        return json.loads(text)

    def call(self, tool, **arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})["result"]["content"][0]["text"]

    def tools(self):
        return {tool["name"] for tool in self.request("tools/list")["result"]["tools"]}


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        kept = {name: value for name, value in os.environ.items() if name not in ("DEBUG", "FAIRLEAD_DEBUG")}
        self.environment = kept | {"HOME": str(self.folder)}

    def write(self, name, content):
        """Replaces a file in one step, as editors do."""
        path = self.folder / name
        text = content if isinstance(content, str) else json.dumps(content)
        (self.folder / "new").write_text(text)
        os.replace(self.folder / "new", path)
        return path

    def start(self, *words):
        running = Running(*words, env=self.environment)
        self.addCleanup(running.stop)
        return running

    def run_it(self, *words):
        return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=TIMEOUT * 2,
                              stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)


def demo(**more):
    return {"command": [PROGRAM, "demo"]} | more


def run_tests():
    """Runs the tests of the script; arguments after the program's path are for unittest."""
    unittest.main(module="__main__", argv=[sys.argv[0], *sys.argv[2:]])
