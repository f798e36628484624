"""Shared code of the command-line tests: a home directory for each test, and a small server."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
TIMEOUT = 240  # Seconds; only a failure takes that long.

# A server of the handshake era. Its tools depend on the client's capabilities, and some of its lists fail.
STAND_IN = r'''
import json, sys
FAILING = sys.argv[1:]
offered = {}
def answer(id, **members):
    print(json.dumps({"jsonrpc": "2.0", "id": id, **members}), flush=True)
LISTS = {"tools/list": "tools", "resources/list": "resources", "resources/templates/list": "resourceTemplates",
         "prompts/list": "prompts"}
for line in sys.stdin:
    message = json.loads(line)
    method, id = message.get("method"), message.get("id")
    if id is None or method is None:
        continue
    if method == "initialize":
        offered = message["params"]["capabilities"]
        answer(id, result={"protocolVersion": "2025-06-18", "serverInfo": {"name": "stand-in", "version": "1"},
                           "capabilities": {"tools": {}, "resources": {}, "prompts": {}}})
    elif method in FAILING or "everything" in FAILING and method in LISTS:
        answer(id, error={"code": -32601, "message": "Method not found"})
    elif method == "tools/list":
        names = ["plain"] + ["with-" + name for name in ("elicitation", "roots", "sampling") if name in offered]
        answer(id, result={"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in names]})
    elif method == "tools/call":
        answer(id, result={"content": [{"type": "text", "text": "called " + message["params"]["name"]}]})
    elif method == "resources/list":
        answer(id, result={"resources": [{"uri": "mem://a", "name": "a"}]})
    elif method == "resources/read":
        answer(id, result={"contents": [{"uri": message["params"]["uri"], "text": "read " + message["params"]["uri"]}]})
    elif method == "prompts/list":
        answer(id, result={"prompts": [{"name": "greet"}]})
    elif method == "prompts/get":
        text = "prompt " + message["params"]["name"]
        answer(id, result={"messages": [{"role": "user", "content": {"type": "text", "text": text}}]})
    elif method in LISTS:
        answer(id, result={LISTS[method]: []})
    elif method == "ping":
        answer(id, result={})
    else:
        answer(id, error={"code": -32601, "message": "Method not found"})
'''


class Home(unittest.TestCase):
    """Each test has its own home directory."""

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.home)
        kept = {name: value for name, value in os.environ.items()
                if name not in ("DEBUG", "FAIRLEAD_DEBUG", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR")}
        self.environment = kept | {"HOME": str(self.home)}
        self.stand_in = self.write("stand_in.py", STAND_IN)

    def write(self, name, text):
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    def run_it(self, *words, code=0, stdin=None):
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=TIMEOUT,
                              env=self.environment, cwd=self.home,
                              **({"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}))
        self.assertEqual(done.returncode, code, (words, done.stdout, done.stderr))
        return done

    def start(self, *words):
        """Starts a gateway until the test ends. Returns its stderr up to the client configuration."""
        running = subprocess.Popen([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True, env=self.environment, cwd=self.home)
        self.addCleanup(running.stderr.close)
        self.addCleanup(running.wait)
        self.addCleanup(running.kill)
        printed = ""
        while "mcpServers" not in printed:
            line = running.stderr.readline()
            self.assertTrue(line, printed)
            printed += line
        # Later output must not fill the pipe.
        threading.Thread(target=lambda: [None for _ in iter(running.stderr.readline, "")], daemon=True).start()
        return printed
