"""usage: secrets_test.py <program>: puts secrets in every possible place, runs every feature, and searches all output and
files for the secrets."""
import hashlib
import http.client
import http.server
import json
import os
import pathlib
import secrets
import signal
import subprocess
import sys
import threading
import time

from gateway_process import TIMEOUT, PROGRAM, Program, Session, run_tests

LEAKY = str(pathlib.Path(__file__).with_name("leaky_server.py"))


def wait_until(holds):
    last = time.monotonic() + TIMEOUT
    while not holds():
        assert time.monotonic() < last, "waited in vain"
        time.sleep(0.05)


class Planted:
    """Secrets by their place. All are different."""

    def __init__(self):
        self.all = {}

    def __getattr__(self, place):
        return self.all.setdefault(place, f"zq{secrets.token_hex(9)}x{len(self.all)}")

    def found_in(self, text, *but):
        return sorted(place for place, value in self.all.items() if value in text and place not in but)


class Repeating(http.server.BaseHTTPRequestHandler):
    """Rejects requests and echoes them."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        error_body = json.dumps({"error": f"401 for {self.path} with {dict(self.headers)} {body.decode()}"}).encode()
        self.send_response(401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(error_body)))
        self.end_headers()
        self.wfile.write(error_body)

    do_GET = do_DELETE = do_POST

    def log_message(self, *_):
        pass


class Receiving(http.server.BaseHTTPRequestHandler):
    """A trace collector: may see its own credentials, but no secrets in spans."""

    def do_POST(self):
        self.server.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode(errors="replace"))
        self.server.heads.append(str(self.headers))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Caller(Session):
    """A client with custom headers that keeps all responses."""

    def __init__(self, port, path="/mcp", **own):
        self.own, self.received = {name.replace("_", "-"): value for name, value in own.items()}, []
        super().__init__(port, path)

    def post(self, message):
        self.headers = self.own | self.headers
        status, text = super().post(message)
        self.received.append(text)
        self.headers = self.own | self.headers
        return status, text

    def try_call(self, tool, arguments, meta=None):
        params = {"name": tool, "arguments": arguments}
        self.post({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params | ({"_meta": meta} if meta else {})})
        era = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
        before, self.headers = self.headers, {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool}
        self.post({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": params | {"_meta": (meta or {}) | era}})
        self.headers = before


def hash_of(key):
    return hashlib.sha256(key.encode()).hexdigest()


def commands():
    """The names of all commands."""
    printed = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout
    return {line.split()[0] for line in printed.splitlines() if line.startswith("  ") and line.split()}


class Secrets(Program):
    def setUp(self):
        super().setUp()
        self.s = Planted()
        self.environment |= {"OPENAI_API_KEY": self.s.openai, "EXPANDED_SECRET": self.s.expanded, "MY_API_TOKEN": self.s.inherited,
                             "OTEL_EXPORTER_OTLP_HEADERS": f"authorization=Bearer {self.s.otlp}"}
        self.environment["XDG_CONFIG_HOME"] = self.environment["XDG_STATE_HOME"] = str(self.folder)
        self.environment["XDG_RUNTIME_DIR"] = str(self.folder)
        self.found = {}
        self.angry, self.receiver = self.listening(Repeating), self.listening(Receiving)

    def look_at(self, what, text, *but):
        leaked = self.s.found_in(text, *but)
        if leaked:
            value = self.s.all[leaked[0]]
            lines = [line[:600] for line in text.splitlines() if value in line]
            self.found[what] = (leaked, lines[0] if lines else "")

    def listening(self, handler):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.bodies, server.heads, server.daemon_threads = [], [], True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def servers(self, far):
        s = self.s
        leaky = {"command": [sys.executable, LEAKY], "env": {"PLANTED_A": s.env, "DB_PASSWORD": "${EXPANDED_SECRET}"}}
        return {
            "leaky": leaky,
            "own": leaky | {"share": "caller", "env": {"GITHUB_TOKEN": s.env_of_own}},
            "dead": {"command": [sys.executable, LEAKY, "die"], "env": {"DEAD_TOKEN": s.env_of_dead}},
            "far": {"url": f"http://user:{s.userinfo}@127.0.0.1:{far}/mcp?api_key={s.query}",
                    "headers": {"Authorization": f"Bearer {s.key_of_far}", "X-Extra": s.header}},
            "angry": {"url": f"http://127.0.0.1:{self.angry.server_address[1]}/mcp?token={s.query_of_angry}",
                      "headers": {"Authorization": f"Bearer {s.bearer_of_angry}", "X-Api-Key": s.header_of_angry}},
            "refused": {"url": f"http://x:{s.userinfo_of_refused}@127.0.0.1:1/mcp",
                        "headers": {"Authorization": f"Bearer {s.bearer_of_refused}"}},
        }

    def settings(self, far, **more):
        s = self.s
        chain = ["log(outer, params=yes)", {"headers": {"caller": "ann", "X-Injected": s.injected}},
                 "headers(forward=X-Forwarded-Secret)"]
        return {"listen": {"port": 0, "keys": {"ann": hash_of(s.key_of_ann), "bob": hash_of(s.key_of_bob)}},
                "chain": chain, "servers": self.servers(far), "list_cache": str(self.folder / "lists.json"),
                "list_timeout": "10s",
                "trace": {"endpoint": f"http://127.0.0.1:{self.receiver.server_address[1]}/v1/traces",
                          "headers": {"X-Receiver-Key": s.receiver}}} | more

    def far(self):
        """Starts the gateway behind the gateway."""
        config = {"listen": {"port": 0, "keys": {"near": hash_of(self.s.key_of_far)}},
                  "servers": {"leaky": {"command": [sys.executable, LEAKY], "env": {"FAR_TOKEN": self.s.env_of_far}}}}
        return self.start("serve", "-c", self.write("far.json", config), "--debug")

    def ann(self, port, path):
        return Caller(port, path, Authorization=f"Bearer {self.s.key_of_ann}", Cookie=f"session={self.s.cookie}",
                      X_Forwarded_Secret=self.s.forwarded, X_Unasked=self.s.unasked)

    def drive(self, port):
        """Calls of two callers that succeed and fail in every way."""
        s = self.s
        arguments = {"password": s.argument, "token": s.token, "nested": {"api_key": s.nested}, "text": "hello"}
        for name in self.servers(1):
            path = f"/s/{name}/mcp"
            ann = self.ann(port, path)
            ann.try_call("echo", arguments, {"apiKey": s.meta, "example.com/password": s.meta_password})
            ann.try_call("result", {"secret": s.of_result, "password": s.argument})
            ann.try_call("notice", {"secret": s.of_notice, "password": s.argument})
            ann.try_call("refuse", {})
            ann.try_call("crash", {})
            ann.try_call("nowhere", {"password": s.argument})
            ann.request("nothing/known", {"password": s.argument})
            own = ("argument", "token", "nested", "meta", "meta_password", "of_result", "of_notice")
            self.look_at(f"answers to ann by {name}", "\n".join(ann.received), *own)
            bob = Caller(port, path, X_API_Key=s.key_of_bob)
            for tool in ("echo", "refuse", "crash", "nowhere"):
                bob.try_call(tool, {"text": "hi"})
            self.look_at(f"answers to bob by {name}", "\n".join(bob.received))
        both = self.ann(port, "/mcp")
        both.request("tools/list")
        self.look_at("answers to ann by all", "\n".join(both.received))
        for headers in ({"Authorization": f"Bearer {s.wrong_key}"}, {"X-API-Key": s.wrong_key}, {"Cookie": s.wrong_cookie}):
            status, text = self.raw(port, "/mcp?key=" + s.wrong_query, headers)
            self.assertEqual(status, 401)
            self.look_at("a refusal", text)

    def raw(self, port, path, headers, method="POST", body="{}"):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        connection.request(method, path, body, {"Content-Type": "application/json"} | headers)
        answer = connection.getresponse()
        text = f"{answer.getheaders()} {answer.read().decode()}"
        connection.close()
        return answer.status, text

    def look_at_processes(self):
        """Searches what `ps` shows of all processes."""
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_text(errors="replace")
            except OSError:
                continue
            self.look_at(f"ps: {path}", words)

    def look_at_files(self):
        """Searches the files that the programs wrote, without the test's own configurations."""
        for path in self.folder.rglob("*"):
            if path.is_file() and path.name not in self.own_files:
                self.look_at(f"the file {path.name}", path.read_text(errors="replace"))

    def look_at_commands(self, path, gateway):
        known, s = commands(), self.s
        own = [f"http://127.0.0.1:{gateway.port()}/mcp", "-H", f"Authorization: Bearer {s.key_of_ann}"]
        pid = ["--pid", str(gateway.process.pid)]
        for words in (["serve", "--show-config"], ["ls"], ["ls", "--json"], ["ls", "--offline"], ["tools"], ["doctor"],
                      ["call", "leaky.refuse"], ["call", "leaky.crash"], ["call", "dead.echo"], ["call", "angry.echo"],
                      ["call", "refused.echo", "--debug"], ["call", "far.refuse", f"password={s.argument}", "--debug"],
                      ["explain", "leaky", "echo"], ["explain", "far", "echo", "--as", "ann"],
                      ["explain", "angry", "echo", f"password={s.explained}", "--as", "ann"],
                      ["explain", "far", "echo", f"token={s.explained}", "--json"], ["pin"], ["pin", "diff"],
                      ["pin", "approve", "--all"], ["pin", "status", "--json"]):
            if words[0] in known:
                self.look_at_command(*words, "-c", path)
        for words in (["check", path], ["check", "--offline", path], ["ls", "--live", *pid], ["ls", "--live", "--json", *pid],
                      ["list", *own], ["discover", *own], ["call", "leaky__nowhere", *own, "--debug"],
                      ["call", "echo", f"password={s.argument}", *own, "--debug"]):
            self.look_at_command(*words)

    def look_at_command(self, *words):
        done = self.run_it(*words)
        printed = done.stdout + done.stderr
        self.assertNotIn("--help", printed, f"{words}: it was not even tried")
        self.look_at(f"fairlead {' '.join(map(str, words))}", printed)

    def listening_in(self, gateway):
        """Runs `tap` on the gateway. Keeps its output and its file."""
        if "tap" not in commands():
            return lambda: None
        tap_output = self.folder / "tapped"
        pid = ["--pid", str(gateway.process.pid)]
        with open(tap_output, "w") as file:
            begun = [subprocess.Popen([PROGRAM, "tap", *more, *pid], stdout=file, stderr=file, stdin=subprocess.DEVNULL,
                                      env=self.environment, cwd=self.folder)
                     for more in ([], ["--full"], ["--json"], ["-o", self.folder / "tap.jsonl", "--force"])]
        wait_until(lambda: tap_output.read_text().count("listening to gateway") == len(begun))

        def stop():
            for path in (tap_output, self.folder / "tap.jsonl"):
                wait_until(lambda: path.exists() and "leaky" in path.read_text())
            time.sleep(1)  # For the rest, which is searched too.
            for process in begun:
                self.assertIsNone(process.poll(), tap_output.read_text())
                process.send_signal(signal.SIGINT)
                process.wait(TIMEOUT)
        return stop

    def verdict(self):
        report = "\n".join(f"{what}: {places}\n    {line}" for what, (places, line) in self.found.items())
        self.assertFalse(self.found, f"secrets were disclosed:\n{report}")

    own_files = {"far.json", "near.json", "wrong.json", "record.json", "new"}

    def test_attack_secrets_do_not_leak(self):
        far = self.far()
        for form in ("text", "json"):
            with self.subTest(form):
                path = self.write("near.json", self.settings(far.port(), log={"format": form, "level": "debug"}))
                gateway = self.start("serve", "-c", path, f"--debug={self.folder / 'debug.log'}")
                port = gateway.port()
                stop = self.listening_in(gateway)
                self.drive(port)
                self.look_at("/metrics", self.raw(port, "/metrics", {"Authorization": f"Bearer {self.s.key_of_ann}"},
                                                  "GET", None)[1])
                if form == "text":
                    self.look_at_commands(path, gateway)
                self.look_at_processes()
                stop()
                path.write_text(path.read_text().replace('"listen"', f'"lisen": "{self.s.wrong_config}", "listen"'))
                gateway.process.send_signal(signal.SIGHUP)
                gateway.wait_for("the old configuration stays")
                gateway.process.terminate()
                gateway.wait()
                self.look_at(f"the log of the gateway in {form}", gateway.printed())
                self.assertIn("outer", gateway.printed())
                self.assertIn("connecting with", gateway.printed(), "what children say on stderr is there, without the secrets")
        self.look_at("the log of the one behind", far.printed())
        self.look_at("traces", "\n".join(self.receiver.bodies))
        self.assertIn(self.s.receiver, "".join(self.receiver.heads), "it was meant for the receiver")
        self.assertIn("leaky", "".join(self.receiver.bodies))
        self.look_at_files()
        self.assertTrue((self.folder / "lists.json").exists() and (self.folder / "debug.log").exists())
        self.verdict()

    def test_attack_recordings_have_no_secrets(self):
        kept = self.folder / "s.mcpl"
        recorder = [PROGRAM, "record", "-o", str(kept), "--stdio", "-e", f"PLANTED_A={self.s.env}", "--", sys.executable, LEAKY]
        for words in (["echo", f"password={self.s.argument}"], ["refuse"], ["result", f"api_key={self.s.nested}"],
                      ["crash"]):
            if kept.exists():
                kept.unlink()
            self.run_it("call", *words, "--", *recorder)
            self.assertTrue(kept.exists(), words)
            self.look_at(f"the recording of {words[0]}", kept.read_text())
        self.verdict()


if __name__ == "__main__":
    run_tests()
