"""usage: gateway_program_test.py <program>: the running gateway: access, logs, reloads, exit and completions.

Test names refer to the list of complaints in docs/gateway.md and the attacks in docs/security.md.
"""
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from gateway_process import TIMEOUT, PROGRAM, Program, Running, Session, demo, run_tests

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


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def kill_if_running(pid):
    if is_running(pid):
        os.kill(pid, signal.SIGKILL)


class AccessTest(Program):
    def test_complaint_23_remote_access_requires_authentication(self):
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
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
            connection.request("POST", "/mcp", "{}", {"Content-Type": "application/json", name: value})
            self.assertEqual(connection.getresponse().status, 403, (name, value))
            connection.close()
        self.assertEqual(Session(port).call("echo", text="hi"), "hi")

    def test_attack_unreadable_keys_reject_all_clients(self):
        for listen in ({"keys_file": "nowhere"}, {"keys": {"anna": "no hash"}},
                       {"keys_file": str(self.write("keys", "anna not-a-hash\n"))}):
            path = self.write("keys.json", {"listen": {"port": 0} | listen, "servers": {"a": demo()}})
            done = self.run_it("serve", "-c", path)
            self.assertNotEqual(done.returncode, 0, listen)
            self.assertRegex(done.stderr, "key|nowhere")

    def test_attack_showing_a_configuration_starts_no_server(self):
        path = self.write("marked.json", {"servers": {"a": {"command": ["touch", str(self.folder / "ran")]}}})
        for words in (["check", "--offline", path], ["serve", "-c", path, "--show-config"],
                      ["ls", "--offline", "-c", path], ["rm", "b", "-c", path],
                      ["add", "b", "-c", path, "--", "touch", self.folder / "ran"]):
            self.run_it(*words)
            self.assertFalse((self.folder / "ran").exists(), words)

    def test_attack_a_configuration_is_a_file_and_never_a_url(self):
        done = self.run_it("serve", "-c", "http://127.0.0.1:1/evil.json")
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_attack_server_names_cannot_control_the_terminal(self):
        script = self.write("poisoned.py", POISONED)
        path = self.write("poisoned.json", {"servers": {"p": {"command": [sys.executable, str(script)]}}})
        for words in (["tools", "-c", path], ["ls", "-c", path], ["check", path], ["call", "-c", path, "p.nope"]):
            done = self.run_it(*words)
            self.assertNotRegex(done.stdout + done.stderr, "[\x1b\x07\u202e\u202c\u200b]", words)


class Logs(Program):
    def test_complaint_26_the_log_shows_client_and_server_messages(self):
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
                gateway.wait_for(rf"request id=1 tools/call .*planted-{name}")
                gateway.wait_for(r"tools/call 'echo' sent with id=\d+; session \d+, client id=1")
                gateway.wait_for(rf"reply id=1 .*{quote}text{quote}:{quote}planted-{name}")
            self.assertNotIn(SECRET, gateway.printed())

    def test_a_json_log_has_one_object_per_line(self):
        path = self.write("json.json", {"listen": {"port": 0}, "servers": {"a": demo()}, "log": {"format": "json"}})
        gateway = self.start("serve", "-c", path)
        port = gateway.port()
        path.write_text("nonsense: [")
        gateway.process.send_signal(signal.SIGHUP)
        gateway.wait_for("the old configuration stays")
        records = [json.loads(line) for line in gateway.printed().splitlines()]
        for record in records:
            self.assertEqual(set(record), {"time", "level", "component", "message"}, record)
        self.assertIn(f"http://127.0.0.1:{port}/mcp", records[0]["message"])
        self.assertEqual(records[-1]["level"], "error")


class Reloads(Program):
    def settings(self, *names):
        return {"listen": {"port": 0}, "servers": {name: demo(prefix=name) for name in names}}

    def test_complaint_28_reload_adds_and_removes_servers_while_clients_stay(self):
        path = self.write("chain.json", self.settings("one"))
        gateway = self.start("serve", "-c", path, "--watch")
        session = Session(gateway.port())
        self.assertEqual(session.call("echo", text="before"), "before")
        self.write("chain.json", self.settings("one", "two"))
        gateway.wait_for("reloaded: added two")
        self.assertLessEqual({"one__echo", "two__echo"}, session.tools())
        self.assertEqual(session.call("two__echo", text="of two"), "of two")
        self.write("chain.json", '{"servers": {"one": {"comand": ["x"]}}}')
        gateway.wait_for(r"the old configuration stays in effect: .*chain\.json:1: servers\.one\.comand")
        self.assertEqual(session.call("two__echo", text="still"), "still")
        self.write("chain.json", self.settings("one"))
        gateway.wait_for("removed two")
        gateway.process.send_signal(signal.SIGHUP)
        gateway.wait_for("reloaded: no changes")
        self.assertEqual(session.call("echo", text="after"), "after")
        self.assertEqual(gateway.stop(), 0)


class Ends(Program):
    def test_Finding_S22_no_child_outlives_a_killed_gateway(self):
        pids = self.folder / "pids"
        # The child and its own child ignore SIGTERM and the end of stdin.
        script = self.write("child.sh", f"trap '' TERM\nsleep 1000 &\necho $$ $! > {pids}\n{PROGRAM} demo\nwait\n")
        path = self.write("stubborn.json", {"listen": {"port": 0}, "servers": {"a": {"command": ["sh", str(script)]}}})
        gateway = Running("serve", "-c", path, env=self.environment)
        self.addCleanup(gateway.process.kill)
        self.assertEqual(Session(gateway.port()).call("echo", text="hi"), "hi")
        started = [int(pid) for pid in pids.read_text().split()]
        for pid in started:
            self.addCleanup(kill_if_running, pid)
        gateway.process.kill()
        gateway.process.wait(TIMEOUT)
        deadline = time.monotonic() + TIMEOUT
        while any(map(is_running, started)) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual([pid for pid in started if is_running(pid)], [])

    def test_Finding_C6_a_disabled_server_is_not_announced(self):
        path = self.write("two.json", {"listen": {"port": 0}, "servers": {"here": demo(), "off": demo(disabled=True)}})
        gateway = self.start("serve", "-c", path)
        gateway.wait_for("mcpServers")
        self.assertIn("/s/here/mcp", gateway.printed())
        self.assertNotIn("/s/off/mcp", gateway.printed())

    def test_Finding_C6_smoke_accepts_a_url(self):
        gateway = self.start("--port", "0", "--", PROGRAM, "demo")
        done = self.run_it("smoke", "--tool", "echo", "--args", '{"text":"hi"}', f"http://127.0.0.1:{gateway.port()}/mcp")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("3 requests, 3 responses: passed", done.stdout)
        self.assertEqual(self.run_it("smoke", "--timeout", "2s", "http://127.0.0.1:1/mcp").returncode, 3)


class Completions(Program):
    def check(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed: its completions are not parsed")
        script = self.run_it("completions", shell).stdout
        done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def offered(self, shell, *line):
        """Returns the completions that a shell offers for the last word of a line."""
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed")
        script = self.write("completions", self.run_it("completions", shell).stdout)
        if shell == "bash":
            words = " ".join(f"'{word}'" for word in line)
            completion = f"source {script}; COMP_WORDS=({words}); COMP_CWORD={len(line) - 1}; _fairlead; " \
                    'printf "%s\\n" "${COMPREPLY[@]}"'
            command = ["bash", "--norc", "-c", completion]
        else:
            command = ["fish", "--no-config", "-c", f"source {script}; complete -C '{' '.join(line)}'"]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"HOME": str(self.folder)})
        return {line.split("\t")[0] for line in done.stdout.splitlines() if line}

    def test_Finding_C3_shells_complete_options_without_a_command(self):
        for shell in ("bash", "fish"):
            with self.subTest(shell):
                offered = self.offered(shell, "fairlead", "--")
                for option in ("--port", "--host", "--share", "--insecure", "--env", "--keys", "--version", "--help"):
                    self.assertIn(option, offered)
                self.assertEqual(self.offered(shell, "fairlead", "--insecure", "--por"), {"--port"})
                self.assertEqual(self.offered(shell, "fairlead", "-p", "0", "--share", ""), {"shared", "caller"})
                self.assertEqual(self.offered(shell, "fairlead", "smok"), {"smoke"})
                self.assertNotIn("--port", self.offered(shell, "fairlead", "-p", "0", "--", "x", "--"))
                self.assertNotIn("--share", self.offered(shell, "fairlead", "list", "--"))

    def test_Finding_C3_zsh_completes_options_without_a_command(self):
        if not shutil.which("zsh"):
            self.skipTest("zsh is not installed")
        script = self.write("completions", self.run_it("completions", "zsh").stdout)
        # Completion itself needs a terminal. This checks the arguments that the script passes to _arguments.
        completion = f"""compdef() {{}}; _arguments() {{ print -rl -- "$@" }}; _describe() {{ print described }}
            source {script}; CURRENT=$#words; _fairlead"""
        given = {}
        for line in ("fairlead --", "fairlead -p 0 --s", "fairlead smok", "fairlead list --"):
            done = subprocess.run(["zsh", "-f", "-c", f"words=({line}); {completion}"], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), line)
            given[line] = done.stdout
        for line in ("fairlead --", "fairlead -p 0 --s"):
            for option in ("--port", "--host", "--share", "--insecure", "-e", "--keys", "--version", "--help"):
                self.assertIn(f"*{option}[", given[line])
            self.assertIn("(shared caller)", given[line])
        self.assertEqual(given["fairlead smok"], "described\n")
        self.assertNotIn("--share", given["fairlead list --"])

    def test_bash_loads_completions(self):
        self.check("bash")

    def test_zsh_loads_completions(self):
        self.check("zsh")

    def test_fish_loads_completions(self):
        self.check("fish")


if __name__ == "__main__":
    run_tests()
