"""usage: server_diagnosis_test.py <program>: errors of failing servers, and the messages that --debug shows."""
import http.server
import json
import os
import pathlib
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

from gateway_process import TIMEOUT, PROGRAM, Running

FATAL = "FATAL: GITHUB_TOKEN is not set"
BROKEN = ["sh", "-c", f"echo '{FATAL}' >&2; exit 1"]
SECRET = "hunter2-very-secret"

# A server whose tool needs a capability that Fairlead's commands do not have.
PICKY = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = {"error": {"code": -32601, "message": "Method not found"}}
    if message["method"] == "initialize":
        answer = {"result": {"protocolVersion": "2025-11-25", "serverInfo": {"name": "picky", "version": "1"},
                             "capabilities": {"tools": {}}}}
    elif message["method"] == "tools/list":
        answer = {"result": {"tools": [{"name": "any", "inputSchema": {"type": "object"}}]}}
    elif message["method"] == "tools/call":
        answer = {"error": {"code": -32021, "message": "Missing required client capability",
                            "data": {"requiredCapabilities": {"sampling": {"context": {}}}}}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
"""


class Home(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.home)
        kept = {name: value for name, value in os.environ.items()
                if name not in ("DEBUG", "FAIRLEAD_DEBUG", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR")}
        self.environment = kept | {"HOME": str(self.home)}

    def run_it(self, *words, code=0, **environment):
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=240,
                              stdin=subprocess.DEVNULL, env=self.environment | environment, cwd=self.home)
        self.assertEqual(done.returncode, code, (words, done.stdout, done.stderr))
        return done

    def configure(self, **servers):
        path = self.home / "servers.json"
        path.write_text(json.dumps({"servers": servers}))
        return path

    def start(self, *words):
        running = Running(*words, env=self.environment)
        self.addCleanup(running.stop)
        return running


class FailedServers(Home):
    """Finding D1."""

    def test_Finding_D1_every_command_shows_what_a_server_printed(self):
        path = self.configure(broken={"command": BROKEN})
        self.assertIn(FATAL, self.run_it("check", path, code=3).stdout)
        self.assertIn(FATAL, self.run_it("ls", "-c", path).stdout)
        self.assertIn(FATAL, self.run_it("tools", "-c", path, code=3).stderr)
        self.assertIn(FATAL, self.run_it("call", "-c", path, "broken.echo", code=3).stderr)
        [row] = json.loads(self.run_it("ls", "-c", path, "--json").stdout)
        self.assertEqual(row["diagnosis"]["stderr"], [FATAL])
        self.assertEqual(row["diagnosis"]["status"], 1)

    def test_Finding_D1_doctor_prints_a_runnable_command(self):
        path = self.configure(broken={"command": BROKEN})
        report = self.run_it("doctor", "-c", path, code=1).stdout
        self.assertIn(FATAL, report)
        [fix] = [line for line in report.splitlines() if "run it by hand" in line]
        command = fix.split("output: ", 1)[1]
        self.assertEqual(shlex.split(command), BROKEN)
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=TIMEOUT)
        self.assertIn(FATAL, done.stderr)

    def test_Finding_D1_several_lines_are_shown_and_secrets_hidden(self):
        script = "echo first >&2; echo key $API_TOKEN >&2; echo last >&2; exit 1"
        path = self.configure(broken={"command": ["sh", "-c", script], "env": {"API_TOKEN": SECRET}})
        for words, code in ((["check", path], 3), (["ls", "-c", path], 0), (["doctor", "-c", path], 1)):
            done = self.run_it(*words, code=code)
            self.assertIn("first", done.stdout)
            self.assertIn("key [redacted]", done.stdout)
            self.assertIn("last", done.stdout)
            self.assertNotIn(SECRET, done.stdout + done.stderr)

    def test_Finding_D1_shows_the_output_of_a_silent_server(self):
        path = self.configure(silent={"command": ["sh", "-c", "printf 'waiting for a %s\\n' database >&2; sleep 1000"]})
        # On a busy machine, the shell may need longer to print its line.
        for limit in ("2s", "20s"):
            report = self.run_it("ls", "-c", path, "--timeout", limit).stdout
            self.assertIn(f"no response within {limit}", report)
            if "waiting for a database" in report:
                return
        self.fail(report)

    def test_Finding_D1_prints_the_stderr_of_a_command_once(self):
        for era in ("handshake", "auto"):
            done = self.run_it("list", "--era", era, "--", *BROKEN, code=3)
            self.assertEqual(done.stderr.count(FATAL), 1, done.stderr)
            self.assertIn("exited with status 1", done.stderr)

    def test_Finding_D4_reports_a_server_that_prints_to_stdout(self):
        noisy = ["sh", "-c", "echo booting...; exec " + shlex.join([PROGRAM, "demo"])]
        done = self.run_it("ping", "--", *noisy)
        self.assertIn('server sh printed "booting..." on stdout, which is not MCP; print to stderr', done.stderr)
        self.assertNotIn("-32700", done.stderr)


class Bridges(Home):
    def test_Finding_D8_a_missing_program_ends_the_bridge(self):
        done = self.run_it("--port", "0", "--", "nosuchprog", code=3)
        self.assertIn("no such program in PATH", done.stderr)
        self.assertIn("install 'nosuchprog'", done.stderr)
        self.assertNotIn("serving", done.stderr)
        self.assertEqual(done.stderr.count("no such program"), 2, "once in the log, once at the end")

    def test_Finding_D8_a_server_that_exits_ends_the_bridge_with_the_reason(self):
        done = self.run_it("--port", "0", "--", *BROKEN, code=3)
        self.assertIn(FATAL, done.stderr)
        self.assertNotIn("serving", done.stderr)

    def test_Finding_D8_a_busy_port_is_detected_before_starting_a_server(self):
        mark = self.home / "started"
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.run_it("--port", taken.getsockname()[1], "--", "sh", "-c", f"touch {mark}; exec {PROGRAM} demo",
                        code=1)
        self.assertFalse(mark.exists())

    def test_a_working_bridge_prints_its_url(self):
        running = self.start("--port", "0", "--", PROGRAM, "demo")
        self.run_it("ping", f"http://127.0.0.1:{running.port()}/mcp")
        self.assertNotIn("warning", running.printed())


class Wire(Home):
    """Finding D2: the messages that --debug shows."""

    def test_Finding_D2_a_client_shows_both_directions_on_every_transport(self):
        running = self.start("--port", "0", "--", PROGRAM, "demo")
        base = f"127.0.0.1:{running.port()}"
        for url in (f"http://{base}/mcp", f"http://{base}/sse", f"ws://{base}/ws"):
            printed = self.run_it("call", "echo", "text=over the wire", "--debug", "-H", f"X-Api-Key: {SECRET}",
                               url).stderr
            with self.subTest(url):
                self.assertRegex(printed, r"> (POST|GET) /\S+ HTTP/1.1")
                self.assertRegex(printed, r"< HTTP/1.1 (200|101)")
                self.assertRegex(printed, r'> body=.*"tools/call"')
                self.assertRegex(printed, r'< body=.*over the wire')
                self.assertNotIn(SECRET, printed)

    def test_Finding_D2_tool_calls_are_shown(self):
        running = self.start("--port", "0", "--", PROGRAM, "demo")
        for scheme in ("rpc+http", "sse+http"):
            path = "/rpc" if scheme == "rpc+http" else "/rpc/stream"
            url = f"{scheme}://127.0.0.1:{running.port()}{path}"
            printed = subprocess.run([PROGRAM, "call", "echo", "text=bare", "--debug", url], capture_output=True,
                                  text=True, timeout=240, env=self.environment, stdin=subprocess.DEVNULL).stderr
            with self.subTest(url):
                self.assertRegex(printed, r"> POST /")
                self.assertRegex(printed, r"< HTTP/1.1 \d+")
                self.assertRegex(printed, r"< body=")

    def test_Finding_D2_a_command_shows_both_directions(self):
        printed = self.run_it("call", "echo", "text=by pipe", "--debug", "--", PROGRAM, "demo").stderr
        self.assertRegex(printed, r'send json=.*"tools/call"')
        self.assertRegex(printed, r"recv json=.*by pipe")

    def test_Finding_D2_a_server_shows_both_directions(self):
        running = Running("demo", "--http", "127.0.0.1:0", "--debug", env=self.environment)
        self.addCleanup(running.stop)
        url = running.wait_for(r"listening on (\S+)").group(1)
        self.run_it("call", "echo", "text=hello there", "--bearer", SECRET, url)
        running.wait_for(r"< POST /mcp from 127\.0\.0\.1")
        running.wait_for(r"< Authorization: \[redacted\]")
        running.wait_for(r'< body=.*"tools/call".*')
        running.wait_for(r"> HTTP/1.1 200 OK")
        running.wait_for(r"> body=.*hello there")
        self.assertNotIn(SECRET, running.printed())

    def test_Finding_D2_shows_no_messages_without_debug(self):
        printed = self.run_it("call", "echo", "text=quiet", "--", PROGRAM, "demo").stderr
        self.assertNotIn("json=", printed)


class Answers(http.server.BaseHTTPRequestHandler):
    """A server that requires OAuth."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.refuse()

    def do_GET(self):
        self.refuse()

    def refuse(self):
        self.send_response(401)
        self.send_header("WWW-Authenticate",
                         f'Bearer resource_metadata="http://{self.headers["Host"]}/.well-known/oauth-protected-resource"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Refusals(Home):
    def test_Finding_D7_reports_that_a_server_requires_oauth(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.addCleanup(server.server_close)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        place = f"127.0.0.1:{server.server_port}/mcp"
        for scheme in ("http", "ws"):
            printed = self.run_it("list", f"{scheme}://{place}", code=3).stderr
            self.assertIn(f"http://{place} requires a sign-in; run: fairlead login http://{place}", printed)
        printed = self.run_it("list", f"http://{place}", "--bearer", "wrong-token", code=3).stderr
        self.assertIn("401", printed)
        self.assertIn("it requires OAuth. Sign in with: fairlead login <url>", printed)

    def test_Finding_D9_a_sampling_error_names_the_option(self):
        for era in ("auto", "handshake"):
            printed = self.run_it("call", "ask_model", "prompt=hm", "--era", era, "--", PROGRAM, "demo", code=1).stderr
            with self.subTest(era):
                self.assertRegex(printed, "sampling.*--sample <text>")
                self.assertNotIn("-32021", printed)
        done = self.run_it("call", "ask_model", "prompt=hm", "--sample", "hello", "--", PROGRAM, "demo")
        self.assertEqual(done.stdout, "The model answered: hello\n")

    def test_Finding_D9_a_missing_capability_error_has_no_json(self):
        script = self.home / "picky.py"
        script.write_text(PICKY)
        printed = self.run_it("call", "any", "--", sys.executable, script, code=1).stderr
        self.assertIn("needs a client with the capability sampling.context, which this command does not have", printed)
        self.assertNotIn("{", printed)

    def test_Finding_D9_a_rate_limit_error_has_no_json_or_hints(self):
        path = self.home / "gateway.yaml"
        path.write_text(f"""
listen: {{port: 0}}
chain: ["limit(1/m)"]
servers: {{demo: {{command: [{json.dumps(PROGRAM)}, demo]}}}}
""")
        running = self.start("serve", "-c", path)
        url = f"http://127.0.0.1:{running.port()}/mcp"
        self.run_it("call", "echo", "text=1", url)
        printed = self.run_it("call", "echo", "text=2", url, code=1).stderr
        self.assertIn("is called too often; try again in", printed)
        self.assertNotIn("{", printed)
        self.assertNotIn("list tools", printed)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
