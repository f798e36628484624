"""usage: command_line_test.py <program>: how people find, type and mistype what the program can do."""
import json
import os
import pathlib
import pty
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
PATIENCE = 240  # Seconds; only a failure takes that long.

# A server for the handshake era. It has tools that depend on what the client offers, and lists that fail.
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
    """Each test is a user with a home of his own."""

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
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE,
                              env=self.environment, cwd=self.home,
                              **({"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}))
        self.assertEqual(done.returncode, code, (words, done.stdout, done.stderr))
        return done

    def start(self, *words):
        """A gateway that runs until the test ends, and what it says on stderr up to the client's configuration."""
        running = subprocess.Popen([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True, env=self.environment, cwd=self.home)
        self.addCleanup(running.stderr.close)
        self.addCleanup(running.wait)
        self.addCleanup(running.kill)
        said = ""
        while "mcpServers" not in said:
            line = running.stderr.readline()
            self.assertTrue(line, said)
            said += line
        # What it says later must not fill the pipe.
        threading.Thread(target=lambda: [None for _ in iter(running.stderr.readline, "")], daemon=True).start()
        return said


class Checking(Home):
    def check(self, text, *options, code=0):
        path = self.write("chain.yaml", text)
        return json.loads(self.run_it("check", path, "--json", *options, code=code).stdout)

    def test_Finding_D5_server_for_servers_is_told(self):
        report = self.check("server:\n  git: stdio:true\n", "--offline", code=1)
        self.assertTrue(any("did you mean servers?" in line for line in report["problems"]), report)
        self.assertIn("did you mean servers?", self.run_it("serve", "-c", "chain.yaml", code=2).stderr)

    def test_Finding_D5_the_debug_switch_may_still_be_below_server(self):
        report = self.check(f"server: {{debug: false, debug_file: x.log}}\nservers:\n  a: stdio:{PROGRAM} demo\n",
                            "--offline")
        self.assertEqual(report["problems"], [])

    def test_Finding_D5_no_servers_are_told(self):
        for text in ("servers: {}\n", "", "listen: {port: 9000}\n"):
            report = self.check(text, "--offline")
            self.assertTrue(any("no server is configured" in line for line in report["warnings"]), text)
        self.assertNotIn("fine", self.run_it("check", "chain.yaml").stdout)
        self.assertTrue(any("disabled" in line for line in self.check(
            "servers: {a: {command: [x], disabled: true}}\n")["warnings"]))
        self.write("none.yaml", "listen: {port: 0}\n")
        running = subprocess.Popen([PROGRAM, "serve", "-c", "none.yaml"], stdin=subprocess.DEVNULL, text=True,
                                   stderr=subprocess.PIPE, env=self.environment, cwd=self.home)
        self.addCleanup(running.stderr.close)
        self.addCleanup(running.wait)
        self.addCleanup(running.kill)
        said = ""
        while "no server is configured" not in said:
            line = running.stderr.readline()
            self.assertTrue(line and "mcpServers" not in said, said)
            said += line

    def test_Finding_D6_every_phase_is_told_at_once(self):
        report = self.check("""\
            listen: {port: many, paths: {sse: /mcp}, keys_file: nowhere.keys}
            chain:
              - tiemout(3s)
              - retyr
            servers:
              a: {command: [no-such-program-here], timeot: 1s}
              b: {command: [x], cacert: f.pem}
              c: {command: [sh], cwd: no-such-folder, chain: [cahce]}
            """, "--offline", code=1)
        text = "\n".join(report["problems"])
        for part in ("listen.port", "listen.paths.sse: is the path of mcp", "nowhere.keys: cannot be read", "tiemout",
                     "retyr", "servers.a.timeot", "'no-such-program-here'", "servers.b.cacert: is for servers with a url",
                     "no folder", "cahce"):
            self.assertIn(part, text)

    def test_Finding_D6_files_that_cannot_be_read_hide_no_others(self):
        self.write("a.yaml", "servers: [\n")
        self.write("b.yaml", "lisen: {}\n")
        done = self.run_it("check", "--offline", "a.yaml", "b.yaml", code=1)
        self.assertIn("a.yaml:", done.stdout)
        self.assertIn("b.yaml:1: lisen: is not known", done.stdout)
        self.assertNotIn("nowhere where", done.stdout)

    def test_Finding_D6_what_could_not_be_read_is_not_told_to_be_missing(self):
        report = self.check("servers:\n  a: {comand: [x]}\nlisten: {tls: {cert: '${NOT_SET}', key: k.pem}}\n",
                            "--offline", code=1)
        self.assertEqual(len([line for line in report["problems"] if "servers.a" in line]), 1, report)
        self.assertFalse(any("both a cert and a key" in line for line in report["problems"]), report)

    def test_Finding_D6_keys_certificates_and_folders_are_looked_at(self):
        secret = "hunter2-very-secret"
        self.write("keys", f"# people\nann {secret}\n\nbob\n")
        report = self.check("""\
            listen:
              keys_file: keys
              unix: deep/down/socket
              tls: {cert: cert.pem, key: key.pem, client_ca: ca.pem}
            catalogue: deep/down/catalogue.json
            servers:
              a: {url: "https://127.0.0.1:1/mcp", cacert: their.pem}
            """, "--offline", code=1)
        text = "\n".join(report["problems"])
        for part in ("line 2: the second word is not a SHA-256", "line 4 is not a name and a SHA-256", "cert.pem cannot be",
                     "key.pem cannot be", "ca.pem cannot be", "their.pem cannot be", "listen.unix: there is no folder",
                     "catalogue: there is no folder"):
            self.assertIn(part, text)
        self.assertNotIn(secret, text)

    def test_Finding_D6_servers_that_are_right_are_asked_although_others_are_wrong(self):
        report = self.check(f"servers:\n  a: {{comand: [x]}}\n  b: stdio:{sys.executable} {self.stand_in}\n", code=1)
        self.assertEqual((report["servers"], report["tools"] > 0), (2, True), report)

    def test_Finding_D6_serve_tells_every_bad_step(self):
        self.write("chain.yaml", f"listen: {{port: 0}}\nchain: [tiemout(3s), retyr]\n"
                                 f"servers: {{a: {{command: [{PROGRAM}, demo], chain: [cahce]}}}}\n")
        done = subprocess.run([PROGRAM, "serve", "-c", "chain.yaml"], capture_output=True, text=True, timeout=PATIENCE,
                              stdin=subprocess.DEVNULL, env=self.environment, cwd=self.home)
        self.assertNotEqual(done.returncode, 0)
        for part in ("tiemout", "retyr", "cahce"):
            self.assertIn(part, done.stderr)


class Helping(Home):
    OPTIONS = ["--port", "--host", "--share", "--insecure", "-e", "--keys", "--tls-cert", "--tls-key", "--cors", "--path",
               "--cwd", "--stdio"]

    def test_Finding_C1_the_first_page_has_the_options_of_the_bridge(self):
        page = self.run_it("--help").stdout
        for option in self.OPTIONS:
            self.assertRegex(page, rf"(?m)^  .*(?<![\w-]){re.escape(option)}[ ,].* ")
        self.assertIn("\n  fairlead --port 9000 ", page)
        self.assertTrue(all(len(line) <= 120 for line in page.splitlines()), page)

    def test_Finding_C1_the_first_page_is_what_a_mistake_points_to(self):
        for words, says in ((["--prot", "9", "--", "x"], "did you mean --port?"),
                            (["--port", "9", "--nonsense", "--", "x"], "--nonsense"),
                            (["-e", "A", "--", "x"], "NAME=value"), (["--port", "many", "--", "x"], "65535"),
                            (["--share", "alone", "--", "x"], "shared|caller"), (["--insecure"], "behind --"),
                            (["--debug"], "behind --"), (["--cwd", "nowhere", "--", "x"], "no folder nowhere")):
            done = self.run_it(*words, code=2)
            self.assertIn(says, done.stderr)
            self.assertIn("see fairlead --help", done.stderr)
            self.assertNotIn("[options]", done.stderr)

    def test_Finding_C1_a_mistyped_option_of_a_command_is_answered_with_the_right_one(self):
        done = self.run_it("serve", "--show-confg", code=2)
        self.assertIn("did you mean --show-config?; see fairlead serve --help", done.stderr)

    def test_Finding_C1_help_can_be_asked_for_on_either_side(self):
        for words in (["help", "serve"], ["--help", "serve"], ["serve", "--help"]):
            self.assertIn("usage: fairlead serve", self.run_it(*words).stdout)

    def test_Finding_C1_the_options_work_wherever_they_stand(self):
        script = 'test "$COLOUR" = blue && test "$PWD" = / && exec "$0" demo'
        said = self.start("-e", "COLOUR=blue", "--cwd", "/", "--share", "caller", "-p", "0", "--", "sh", "-c", script, PROGRAM)
        url = re.search(r"http://127\.0\.0\.1:\d+/mcp", said).group()
        self.assertEqual(self.run_it("call", "echo", "text=hi", url).stdout, "hi\n")


def pem_pair(folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout",
                    folder / "key.pem", "-out", folder / "cert.pem"], check=True, capture_output=True)


class BeyondThisMachine(Home):
    def test_Finding_C2_a_key_is_made_and_its_line_kept(self):
        done = self.run_it("key", "ann", "--keys", "keys.txt")
        secret = done.stdout.strip()
        self.assertGreater(len(secret), 40)
        self.assertEqual(stat.S_IMODE((self.home / "keys.txt").stat().st_mode), 0o600)
        hashed = subprocess.run(["sha256sum"], input=secret, capture_output=True, text=True).stdout.split()[0]
        self.assertEqual((self.home / "keys.txt").read_text(), f"ann {hashed}\n")
        self.assertIn(f"ann {hashed}", done.stderr)
        self.run_it("key", "bob", "--keys", "keys.txt", "--stdin", stdin="a secret-less line\n", code=2)
        self.run_it("key", "bob", "--keys", "keys.txt", "--stdin", stdin="bobs-own-secret-word\n")
        self.assertEqual([line.split()[0] for line in (self.home / "keys.txt").read_text().splitlines()], ["ann", "bob"])
        alone = json.loads(self.run_it("key", "carl", "--json").stdout)
        self.assertEqual(alone["line"], f"carl {alone['sha256']}")
        self.assertIn("one word", self.run_it("key", "two words", code=2).stderr)

    def test_Finding_C2_a_file_that_is_wrong_is_not_added_to(self):
        path = self.write("keys.txt", "ann plain-secret\n")
        self.assertIn("line 1", self.run_it("key", "bob", "--keys", path, code=1).stderr)
        self.assertEqual(path.read_text(), "ann plain-secret\n")

    def test_Finding_C2_refusing_to_listen_names_the_options_to_pass(self):
        self.write("open.yaml", f"listen: {{host: 0.0.0.0, port: 0}}\nservers: {{a: {{command: [{PROGRAM}, demo]}}}}\n")
        for words in (["--host", "0.0.0.0", "--", PROGRAM, "demo"], ["serve", "-c", "open.yaml"]):
            done = self.run_it(*words, code=2)
            for option in ("--keys <file>", "fairlead key <name>", "--tls-client-ca", "--insecure"):
                self.assertIn(option, done.stderr)

    def test_Finding_C2_the_snippet_works_with_the_key(self):
        secret = self.run_it("key", "ann", "--keys", "keys.txt").stdout.strip()
        said = self.start("--host", "0.0.0.0", "--port", "0", "--keys", "keys.txt", "--", PROGRAM, "demo")
        snippet = re.search(r"^ *({\"mcpServers\".*})$", said, re.MULTILINE).group(1)
        self.assertNotIn("0.0.0.0", snippet)
        self.assertIn("the secret that fairlead key printed", said)
        # What a firewall between us and our own address lets through is not the question here.
        snippet = re.sub(r"http://[^/]+:(\d+)/", r"http://127.0.0.1:\1/", snippet)
        self.write("client.json", snippet)
        self.assertIn("401", self.run_it("check", "client.json", code=3).stdout)
        self.write("client.json", snippet.replace("<key>", secret))
        self.assertIn(": fine", self.run_it("check", "client.json").stdout)

    def test_Finding_C2_the_snippet_of_a_new_key_has_it(self):
        said = self.start("--port", "0", "--keys", self.write("keys.txt", ""), "--", PROGRAM, "demo")
        url = re.search(r"http://127\.0\.0\.1:\d+/mcp", said).group()
        made = self.run_it("key", "ann", "--url", url)
        snippet = json.loads(re.search(r"^ *({\"mcpServers\".*})$", made.stderr, re.MULTILINE).group(1))
        entry = snippet["mcpServers"]["fairlead"]
        self.assertEqual(entry["url"], url)
        self.assertEqual(entry["headers"], {"Authorization": "Bearer " + made.stdout.strip()})

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_Finding_C2_https_with_keys_on_a_path_of_its_own(self):
        pem_pair(self.home)
        secret = self.run_it("key", "ann", "--keys", "keys.txt").stdout.strip()
        said = self.start("--port", "0", "--keys", "keys.txt", "--tls-cert", "cert.pem", "--tls-key", "key.pem",
                          "--path", "/tools", "--cors", "https://app.example", "--", PROGRAM, "demo")
        url = re.search(r"https://127\.0\.0\.1:\d+/tools", said).group()
        done = self.run_it("call", "echo", "text=hi", url, "--bearer", secret, "--cacert", "cert.pem")
        self.assertEqual(done.stdout, "hi\n")

    def test_Finding_C2_pages_of_other_origins_and_other_names_can_be_allowed(self):
        said = self.start("--port", "0", "--cors", "https://app.example", "--", PROGRAM, "demo")
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)/mcp", said).group(1))
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            connection.sendall(b"OPTIONS /mcp HTTP/1.1\r\nHost: localhost:%d\r\nOrigin: https://app.example\r\n"
                               b"Access-Control-Request-Method: POST\r\nConnection: close\r\n\r\n" % port)
            answer = b"".join(iter(lambda: connection.recv(4096), b""))
        self.assertIn(b"Access-Control-Allow-Origin: https://app.example", answer)

    def test_Finding_C2_serve_takes_the_same_options(self):
        self.write("own.yaml", f"listen: {{port: 1}}\nservers: {{a: {{command: [{PROGRAM}, demo]}}}}\n")
        shown = self.run_it("serve", "-c", "own.yaml", "--show-config", "--port", "0", "--host", "127.0.0.2", "--path",
                            "/x", "--keys", "k", "--cors", "https://app.example", "--allow-host", "tools.example",
                            "--cwd", "/", "--insecure").stdout
        for line in ("port: 0 ", "host: 127.0.0.2", "mcp: /x", "keys_file: k", "insecure: true", "cwd: /"):
            self.assertRegex(shown, rf"(?m)^ *{re.escape(line)}.*# command line$")
        self.assertIn("--tls-key", self.run_it("serve", "-c", "own.yaml", "--tls-cert", "c", code=2).stderr)
        self.assertIn("is the path of mcp", self.run_it("serve", "-c", "own.yaml", "--path", "/sse", code=2).stderr)

    def test_Finding_C2_stdio_on_both_sides(self):
        self.write("own.yaml", f"servers: {{a: {{command: [{PROGRAM}, demo]}}}}\n")
        for words in (["--stdio", "--", PROGRAM, "demo"], ["serve", "--stdio", "-c", "own.yaml"]):
            done = self.run_it("call", "echo", "text=hi", "--", PROGRAM, *words)
            self.assertEqual(done.stdout, "hi\n")


class NamingServers(Home):
    def setUp(self):
        super().setUp()
        self.run_it("add", "mine", "--", sys.executable, self.stand_in)

    def test_Finding_C3_every_command_knows_configured_servers(self):
        self.assertIn("plain", self.run_it("list", "mine").stdout)
        self.assertIn("greet", self.run_it("list", "mine", "prompts").stdout)
        self.assertIn("greet", self.run_it("list", "prompts", "mine").stdout)
        self.assertIn("stand-in answered", self.run_it("ping", "mine").stdout)
        self.assertIn("stand-in", self.run_it("discover", "mine").stdout)
        self.assertEqual(self.run_it("read", "mine", "mem://a").stdout, "read mem://a")
        self.assertEqual(self.run_it("prompt", "mine", "greet").stdout, "user: prompt greet\n")
        self.assertEqual(self.run_it("prompt", "mine.greet").stdout, "user: prompt greet\n")
        self.assertEqual(self.run_it("call", "mine", "plain").stdout, "called plain\n")
        self.assertEqual(self.run_it("call", "mine.plain").stdout, "called plain\n")
        self.assertEqual(self.run_it("call", "mine.x", "mine=1").stdout, "called x\n")
        self.assertEqual(self.run_it("call", "plain", "--", PROGRAM, "connect", "mine").stdout, "called plain\n")

    def test_Finding_C3_sessions_with_configured_servers_are_recorded_and_replayed(self):
        done = self.run_it("call", "plain", "--", PROGRAM, "record", "-o", "s.mcpl", "mine")
        self.assertEqual(done.stdout, "called plain\n")
        self.run_it("replay", "s.mcpl", "--as-client", "--lenient", "mine")

    def test_Finding_C3_a_file_is_named_in_the_same_way_everywhere(self):
        other = self.write("other.yaml", f"debug: true\nservers:\n  theirs: stdio:{sys.executable} {self.stand_in}\n")
        for option in ("-c", "--config"):
            for words in (["list", "theirs"], ["ping", "theirs"], ["call", "theirs.plain"], ["discover", "theirs"]):
                done = self.run_it(*words, option, other)
                self.assertIn("send json=", done.stderr, words)
            self.run_it("ls", option, other)
            self.run_it("tools", option, other)
        self.run_it("--config", other, "ping", "theirs")

    def test_Finding_C3_a_server_that_is_not_known_is_answered_with_the_known_ones(self):
        for words in (["list", "mien"], ["ping", "mien"], ["read", "mien", "mem://a"], ["prompt", "mien.greet"],
                      ["discover", "mien"]):
            done = self.run_it(*words, code=2)
            self.assertIn("did you mean 'mine'?", done.stderr)

    def test_Finding_C3_tools_takes_every_kind_of_server(self):
        self.assertIn("plain", self.run_it("tools", "mine").stdout)
        self.assertIn("plain", self.run_it("tools", "--", sys.executable, self.stand_in).stdout)
        self.assertIn("plain", self.run_it("list", "tools").stdout)

    def test_Finding_C3_the_same_is_offered_to_servers_by_every_command(self):
        tools = {"plain", "with-elicitation", "with-roots", "with-sampling"}
        self.assertEqual({tool["name"] for tool in json.loads(self.run_it("list", "mine", "--json").stdout)["tools"]}, tools)
        self.assertEqual({tool["tool"] for tool in json.loads(self.run_it("tools", "--json").stdout)["tools"]}, tools)
        self.assertEqual(json.loads(self.run_it("ls", "--json").stdout)[0]["tools"], 4)
        self.assertEqual(json.loads(self.run_it("check", "--json").stdout)["tools"], 4)
        self.assertIn("4 tools", self.run_it("doctor", "--json", code=0).stdout)

    def test_Finding_C3_a_question_for_a_model_says_what_to_pass(self):
        done = self.run_it("call", "test_sampling", "prompt=hm", "--", PROGRAM, "demo", code=1)
        self.assertIn("--sample", done.stderr)


class Listing(Home):
    def server(self, *failing):
        return ["--", sys.executable, self.stand_in, *failing]

    def test_Finding_C4_what_there_is_is_shown_and_the_rest_told(self):
        done = self.run_it("list", *self.server("resources/templates/list", "prompts/list"))
        self.assertIn("plain", done.stdout)
        self.assertIn("mem://a", done.stdout)
        self.assertIn("resource templates", done.stderr.lower())
        self.assertIn("prompts", done.stderr.lower())
        self.assertIn("Method not found", done.stderr)

    def test_Finding_C4_programs_are_told_too(self):
        listed = json.loads(self.run_it("list", "--json", *self.server("resources/templates/list")).stdout)
        self.assertEqual(set(listed), {"tools", "resources", "prompts", "failed"})
        self.assertIn("Method not found", listed["failed"]["resourceTemplates"])

    def test_Finding_C4_a_list_that_was_asked_for_and_fails_is_a_failure(self):
        self.run_it("list", "templates", *self.server("resources/templates/list"), code=1)
        self.run_it("list", *self.server("everything"), code=1)


class OnATerminal(Home):
    def test_Finding_C1_the_first_page_is_the_same_on_a_terminal(self):
        keyboard, terminal = pty.openpty()
        self.addCleanup(os.close, keyboard)
        running = subprocess.Popen([PROGRAM, "--help"], stdout=terminal, stdin=terminal, env=self.environment)
        os.close(terminal)
        shown = b""
        try:
            while chunk := os.read(keyboard, 65536):
                shown += chunk
        except OSError:  # The other side is closed.
            pass
        self.assertEqual(running.wait(PATIENCE), 0)
        self.assertEqual(shown.decode().replace("\r\n", "\n"), self.run_it("--help").stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
