"""usage: gateway_program_test.py <program>: the gateway as it runs, with files that change, logs, and those who may not.

Names of tests say which row of the list of complaints in docs/gateway.md, or which attack of docs/security.md, they try.
"""
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
PATIENCE = 60
SECRET = "hunter2-very-secret"
POISONED = r'''
import json, sys
tool = {"name": "nice", "description": "\x1b[31mred\x1b[0m \u202eevil\u202c\u200b", "inputSchema": {"type": "object"}}
answers = {"initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                          "serverInfo": {"name": "\x1b]0;title\x07", "version": "1"}},
           "tools/list": {"tools": [tool]}}
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        result = answers.get(message["method"])
        answer = {"result": result} if result else {"error": {"code": -32601, "message": "unknown"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
'''


class Running:
    """A gateway that runs; what it says on stderr is kept."""

    def __init__(self, *words, env=None):
        self.process = subprocess.Popen([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                        text=True, env=env)
        self.lines = []
        self.more = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stderr:
            with self.more:
                self.lines.append(line)
                self.more.notify_all()

    def said(self):
        with self.more:
            return "".join(self.lines)

    def wait_for(self, pattern):
        """The first match in what it says, waited for."""
        with self.more:
            found = self.more.wait_for(lambda: re.search(pattern, "".join(self.lines)), PATIENCE)
        if not found:
            raise AssertionError(f"never said {pattern}: {self.said()}")
        return re.search(pattern, self.said())

    def port(self):
        return int(self.wait_for(r"serving .*?http://127\.0\.0\.1:(\d+)").group(1))

    def stop(self):
        self.process.terminate()
        code = self.process.wait(PATIENCE)
        self.process.stderr.close()
        return code


class Session:
    """A client of the handshake era over HTTP."""

    def __init__(self, port, path="/mcp"):
        self.port, self.path, self.headers = port, path, {}
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                "clientInfo": {"name": "test", "version": "1"}})
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def post(self, message):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        connection.request("POST", self.path, json.dumps(message), headers | self.headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        if session := answer.getheader("Mcp-Session-Id"):
            self.headers = {"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25"}
        connection.close()
        return answer.status, text

    def ask(self, method, params=None):
        _, text = self.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}})
        if not text.startswith("{"):
            text = [line[5:] for line in text.splitlines() if line.startswith("data:")][-1]
        return json.loads(text)

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]["content"][0]["text"]

    def tools(self):
        return {tool["name"] for tool in self.ask("tools/list")["result"]["tools"]}


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        kept = {name: value for name, value in os.environ.items() if name not in ("DEBUG", "FAIRLEAD_DEBUG")}
        self.environment = kept | {"HOME": str(self.folder)}

    def write(self, name, content):
        """In one step, as editors do."""
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
        return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE * 2,
                              stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)


def demo(**more):
    return {"command": [PROGRAM, "demo"]} | more


class Doors(Program):
    def test_complaint_23_nobody_gets_in_from_elsewhere_unless_somebody_asks_who_it_is(self):
        for host in ("0.0.0.0", "::"):
            for words in ([f"--host={host}", "--port=0", "--", PROGRAM, "demo"],
                          ["serve", "-c", self.write("open.json", {"listen": {"host": host, "port": 0},
                                                                   "servers": {"a": demo()}})]):
                done = self.run_it(*words)
                self.assertNotEqual(done.returncode, 0, words)
                self.assertRegex(done.stderr, "keys|authentication|insecure", words)
        gateway = self.start("--port", "0", "--", PROGRAM, "demo")
        port = gateway.port()
        for name, value in (("Host", "evil.example"), ("Origin", "http://evil.example"), ("Origin", "null")):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            connection.request("POST", "/mcp", "{}", {"Content-Type": "application/json", name: value})
            self.assertEqual(connection.getresponse().status, 403, (name, value))
            connection.close()
        self.assertEqual(Session(port).call("echo", text="hi"), "hi")

    def test_attack_keys_that_cannot_be_read_let_nobody_in(self):
        for listen in ({"keys_file": "nowhere"}, {"keys": {"anna": "no hash"}},
                       {"keys_file": str(self.write("keys", "anna not-a-hash\n"))}):
            path = self.write("keys.json", {"listen": {"port": 0} | listen, "servers": {"a": demo()}})
            done = self.run_it("serve", "-c", path)
            self.assertNotEqual(done.returncode, 0, listen)
            self.assertRegex(done.stderr, "key|nowhere")

    def test_attack_looking_at_a_configuration_starts_nothing(self):
        path = self.write("marked.json", {"servers": {"a": {"command": ["touch", str(self.folder / "ran")]}}})
        for words in (["check", "--offline", path], ["serve", "-c", path, "--show-config"],
                      ["ls", "--offline", "-c", path], ["rm", "b", "-c", path],
                      ["add", "b", "-c", path, "--", "touch", self.folder / "ran"]):
            self.run_it(*words)
            self.assertFalse((self.folder / "ran").exists(), words)

    def test_attack_a_configuration_is_a_file_and_never_a_url(self):
        done = self.run_it("serve", "-c", "http://127.0.0.1:1/evil.json")
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_attack_what_servers_call_themselves_steers_no_terminal(self):
        script = self.write("poisoned.py", POISONED)
        path = self.write("poisoned.json", {"servers": {"p": {"command": [sys.executable, str(script)]}}})
        for words in (["tools", "-c", path], ["ls", "-c", path], ["check", path], ["call", "-c", path, "p.nope"]):
            done = self.run_it(*words)
            self.assertNotRegex(done.stdout + done.stderr, "[\x1b\x07\u202e\u202c\u200b]", words)


class Logs(Program):
    def test_complaint_26_the_log_shows_what_the_client_said_and_what_the_server_was_sent(self):
        for listen in ({}, {"log": {"format": "json"}}):
            remote = self.start("demo", "--http", "127.0.0.1:0")
            port = int(remote.wait_for(r":(\d+)/mcp").group(1))
            servers = {"child": demo(), "far": {"url": f"http://127.0.0.1:{port}/mcp",
                                                "headers": {"Authorization": f"Bearer {SECRET}"}}}
            gateway = self.start("serve", "-c", self.write("wire.json", {"listen": {"port": 0}, "servers": servers} | listen),
                                 "--debug")
            for name in servers:
                session = Session(gateway.port(), f"/s/{name}/mcp")
                self.assertEqual(session.call("echo", text=f"planted-{name}", password=SECRET), f"planted-{name}")
                quote = r'\\?"'
                gateway.wait_for(rf"asks id=1 tools/call .*planted-{name}")
                gateway.wait_for(rf"tools/call 'echo' is id=\d+ there, of conversation \d+ and its id=1")
                gateway.wait_for(rf"gets id=1 .*{quote}text{quote}:{quote}planted-{name}")
            self.assertNotIn(SECRET, gateway.said())

    def test_a_log_in_json_is_one_object_a_line(self):
        path = self.write("json.json", {"listen": {"port": 0}, "servers": {"a": demo()}, "log": {"format": "json"}})
        gateway = self.start("serve", "-c", path)
        port = gateway.port()
        path.write_text("nonsense: [")
        gateway.process.send_signal(signal.SIGHUP)
        gateway.wait_for("the old one stays")
        records = [json.loads(line) for line in gateway.said().splitlines()]
        for record in records:
            self.assertEqual(set(record), {"time", "level", "component", "message"}, record)
        self.assertIn(f"http://127.0.0.1:{port}/mcp", records[0]["message"])
        self.assertEqual(records[-1]["level"], "error")


class Reloads(Program):
    def settings(self, *names):
        return {"listen": {"port": 0}, "servers": {name: demo(prefix=name) for name in names}}

    def test_complaint_28_servers_come_and_go_while_clients_stay(self):
        path = self.write("chain.json", self.settings("one"))
        gateway = self.start("serve", "-c", path, "--watch")
        session = Session(gateway.port())
        self.assertEqual(session.call("echo", text="before"), "before")
        self.write("chain.json", self.settings("one", "two"))
        gateway.wait_for("in force: added two")
        self.assertLessEqual({"one__echo", "two__echo"}, session.tools())
        self.assertEqual(session.call("two__echo", text="of two"), "of two")
        self.write("chain.json", '{"servers": {"one": {"comand": ["x"]}}}')
        gateway.wait_for(r"is wrong, the old one stays: .*chain\.json:1: servers\.one\.comand")
        self.assertEqual(session.call("two__echo", text="still"), "still")
        self.write("chain.json", self.settings("one"))
        gateway.wait_for("removed two")
        gateway.process.send_signal(signal.SIGHUP)
        gateway.wait_for("nothing has changed")
        self.assertEqual(session.call("echo", text="after"), "after")
        self.assertEqual(gateway.stop(), 0)


class Completions(Program):
    def check(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed: its completions are not parsed")
        script = self.run_it("completions", shell).stdout
        done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_bash_takes_its_completions(self):
        self.check("bash")

    def test_zsh_takes_its_completions(self):
        self.check("zsh")

    def test_fish_takes_its_completions(self):
        self.check("fish")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
