"""usage: command_line_test.py <program>: help texts, option parsing, suggestions and usage errors."""
import json
import os
import pty
import re
import shutil
import socket
import stat
import subprocess
import sys
import unittest

from command_line_fixture import TIMEOUT, PROGRAM, STAND_IN, Home


class Checking(Home):
    def check(self, text, *options, code=0):
        path = self.write("chain.yaml", text)
        return json.loads(self.run_it("check", path, "--json", *options, code=code).stdout)

    def test_Finding_D5_check_suggests_servers_for_server(self):
        report = self.check("server:\n  git: stdio:true\n", "--offline", code=1)
        self.assertTrue(any("did you mean servers?" in line for line in report["problems"]), report)
        self.assertIn("did you mean servers?", self.run_it("serve", "-c", "chain.yaml", code=2).stderr)

    def test_Finding_D5_debug_is_still_allowed_under_server(self):
        report = self.check(f"server: {{debug: false, debug_file: x.log}}\nservers:\n  a: stdio:{PROGRAM} demo\n",
                            "--offline")
        self.assertEqual(report["problems"], [])

    def test_Finding_D5_check_warns_without_servers(self):
        for text in ("servers: {}\n", "", "listen: {port: 9000}\n"):
            report = self.check(text, "--offline")
            self.assertTrue(any("no server is configured" in line for line in report["warnings"]), text)
        self.assertNotIn(": ok", self.run_it("check", "chain.yaml").stdout)
        self.assertTrue(any("disabled" in line for line in self.check(
            "servers: {a: {command: [x], disabled: true}}\n")["warnings"]))
        self.write("none.yaml", "listen: {port: 0}\n")
        running = subprocess.Popen([PROGRAM, "serve", "-c", "none.yaml"], stdin=subprocess.DEVNULL, text=True,
                                   stderr=subprocess.PIPE, env=self.environment, cwd=self.home)
        self.addCleanup(running.stderr.close)
        self.addCleanup(running.wait)
        self.addCleanup(running.kill)
        printed = ""
        while "no server is configured" not in printed:
            line = running.stderr.readline()
            self.assertTrue(line and "mcpServers" not in printed, printed)
            printed += line

    def test_Finding_D6_check_reports_the_errors_of_all_phases(self):
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
        for part in ("listen.port", "listen.paths.sse: is already the path of mcp", "nowhere.keys: cannot be read", "tiemout",
                     "retyr", "servers.a.timeot", "'no-such-program-here'", "servers.b.cacert: is for servers with a url",
                     "no such directory", "cahce"):
            self.assertIn(part, text)

    def test_Finding_C3_check_reports_a_missing_program_once(self):
        report = self.check("servers:\n  a: {command: [no-such-program-here]}\n", code=1)
        named = [line for line in report["problems"] + report["unreachable"] if "no-such-program-here" in line]
        self.assertEqual(len(named), 1, report)
        # With another working directory, only starting the server can tell.
        report = self.check("servers:\n  a: {command: [no-such-program-here], cwd: /}\n", code=3)
        self.assertEqual((len(report["problems"]), len(report["unreachable"])), (0, 1), report)

    def test_Finding_D6_an_unreadable_file_does_not_hide_other_errors(self):
        self.write("a.yaml", "servers: [\n")
        self.write("b.yaml", "lisen: {}\n")
        done = self.run_it("check", "--offline", "a.yaml", "b.yaml", code=1)
        self.assertIn("a.yaml:", done.stdout)
        self.assertIn("b.yaml:1: lisen: unknown key", done.stdout)
        self.assertNotIn("needs a command", done.stdout)

    def test_Finding_D6_an_unreadable_value_is_not_reported_as_missing(self):
        report = self.check("servers:\n  a: {comand: [x]}\nlisten: {tls: {cert: '${NOT_SET}', key: k.pem}}\n",
                            "--offline", code=1)
        self.assertEqual(len([line for line in report["problems"] if "servers.a" in line]), 1, report)
        self.assertFalse(any("needs both cert and key" in line for line in report["problems"]), report)

    def test_Finding_D6_check_reads_keys_certificates_and_directories(self):
        secret = "hunter2-very-secret"
        self.write("keys", f"# people\nann {secret}\n\nbob\n")
        report = self.check("""\
            listen:
              keys_file: keys
              unix: deep/down/socket
              tls: {cert: cert.pem, key: key.pem, client_ca: ca.pem}
            list_cache: deep/down/lists.json
            servers:
              a: {url: "https://127.0.0.1:1/mcp", cacert: their.pem}
            """, "--offline", code=1)
        text = "\n".join(report["problems"])
        for part in ("line 2: the second word is not a SHA-256", "line 4 is not a name and a SHA-256", "cert.pem cannot be",
                     "key.pem cannot be", "ca.pem cannot be", "their.pem cannot be", "listen.unix: no such directory",
                     "list_cache: no such directory"):
            self.assertIn(part, text)
        self.assertNotIn(secret, text)

    def test_Finding_D6_check_probes_valid_servers_despite_errors_in_others(self):
        report = self.check(f"servers:\n  a: {{comand: [x]}}\n  b: stdio:{sys.executable} {self.stand_in}\n", code=1)
        self.assertEqual((report["servers"], report["tools"] > 0), (2, True), report)

    def test_Finding_D6_serve_reports_every_invalid_step(self):
        self.write("chain.yaml", f"listen: {{port: 0}}\nchain: [tiemout(3s), retyr]\n"
                                 f"servers: {{a: {{command: [{PROGRAM}, demo], chain: [cahce]}}}}\n")
        done = subprocess.run([PROGRAM, "serve", "-c", "chain.yaml"], capture_output=True, text=True, timeout=TIMEOUT,
                              stdin=subprocess.DEVNULL, env=self.environment, cwd=self.home)
        self.assertNotEqual(done.returncode, 0)
        for part in ("tiemout", "retyr", "cahce"):
            self.assertIn(part, done.stderr)


class Helping(Home):
    OPTIONS = ["--port", "--host", "--share", "--insecure", "-e", "--keys", "--tls-cert", "--tls-key", "--cors", "--path",
               "--cwd", "--stdio"]

    def test_Finding_C1_the_main_help_has_the_options_of_the_bridge(self):
        page = self.run_it("--help").stdout
        for option in self.OPTIONS:
            self.assertRegex(page, rf"(?m)^  .*(?<![\w-]){re.escape(option)}[ ,].* ")
        self.assertIn("\n  fairlead --port 9000 ", page)
        self.assertTrue(all(len(line) <= 120 for line in page.splitlines()), page)

    def test_Finding_C1_usage_errors_refer_to_the_main_help(self):
        for words, expected in ((["--prot", "9", "--", "x"], "did you mean --port?"),
                            (["--port", "9", "--nonsense", "--", "x"], "--nonsense"),
                            (["-e", "A", "--", "x"], "NAME=value"), (["--port", "many", "--", "x"], "65535"),
                            (["--share", "alone", "--", "x"], "shared|caller"), (["--insecure"], "after --"),
                            (["--debug"], "after --"), (["--cwd", "nowhere", "--", "x"], "no such directory: nowhere")):
            done = self.run_it(*words, code=2)
            self.assertIn(expected, done.stderr)
            self.assertIn("see fairlead --help", done.stderr)
            self.assertNotIn("[options]", done.stderr)

    def test_Finding_C1_a_mistyped_option_gets_a_suggestion(self):
        done = self.run_it("serve", "--show-confg", code=2)
        self.assertIn("did you mean --show-config?; see fairlead serve --help", done.stderr)

    def test_Finding_C1_help_works_before_and_after_the_command(self):
        for words in (["help", "serve"], ["--help", "serve"], ["serve", "--help"]):
            self.assertIn("usage: fairlead serve", self.run_it(*words).stdout)

    def test_Finding_C1_options_work_in_any_position(self):
        script = 'test "$COLOUR" = blue && test "$PWD" = / && exec "$0" demo'
        printed = self.start("-e", "COLOUR=blue", "--cwd", "/", "--share", "caller", "-p", "0", "--", "sh", "-c", script, PROGRAM)
        url = re.search(r"http://127\.0\.0\.1:\d+/mcp", printed).group()
        self.assertEqual(self.run_it("call", "echo", "text=hi", url).stdout, "hi\n")


def pem_pair(folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout",
                    folder / "key.pem", "-out", folder / "cert.pem"], check=True, capture_output=True)


class BeyondThisMachine(Home):
    def test_Finding_C2_key_creates_a_secret_and_stores_its_hash(self):
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
        self.assertIn("must not contain spaces", self.run_it("key", "two words", code=2).stderr)

    def test_key_makes_the_key_of_a_vault_once(self):
        self.run_it("key", "--vault", "vault.key")
        self.assertEqual(stat.S_IMODE((self.home / "vault.key").stat().st_mode), 0o600)
        made = (self.home / "vault.key").read_text()
        self.assertIn("exists", self.run_it("key", "--vault", "vault.key", code=1).stderr)
        self.assertEqual((self.home / "vault.key").read_text(), made)
        self.assertIn("--vault", self.run_it("key", code=2).stderr)

    def test_Finding_C2_key_rejects_an_invalid_file(self):
        path = self.write("keys.txt", "ann plain-secret\n")
        self.assertIn("line 1", self.run_it("key", "bob", "--keys", path, code=1).stderr)
        self.assertEqual(path.read_text(), "ann plain-secret\n")

    def test_Finding_C2_refusing_to_listen_names_the_options(self):
        self.write("open.yaml", f"listen: {{host: 0.0.0.0, port: 0}}\nservers: {{a: {{command: [{PROGRAM}, demo]}}}}\n")
        for words in (["--host", "0.0.0.0", "--", PROGRAM, "demo"], ["serve", "-c", "open.yaml"]):
            done = self.run_it(*words, code=2)
            for option in ("--keys <file>", "fairlead key <name>", "--tls-client-ca", "--insecure"):
                self.assertIn(option, done.stderr)

    def test_Finding_C2_the_snippet_works_with_the_key(self):
        secret = self.run_it("key", "ann", "--keys", "keys.txt").stdout.strip()
        printed = self.start("--host", "0.0.0.0", "--port", "0", "--keys", "keys.txt", "--", PROGRAM, "demo")
        snippet = re.search(r"^ *({\"mcpServers\".*})$", printed, re.MULTILINE).group(1)
        self.assertNotIn("0.0.0.0", snippet)
        self.assertIn("the secret that fairlead key printed", printed)
        # Connects to the loopback address, because a firewall may block the machine's own address.
        snippet = re.sub(r"http://[^/]+:(\d+)/", r"http://127.0.0.1:\1/", snippet)
        self.write("client.json", snippet)
        self.assertIn("401", self.run_it("check", "client.json", code=3).stdout)
        self.write("client.json", snippet.replace("<key>", secret))
        self.assertIn(": ok", self.run_it("check", "client.json").stdout)

    def test_Finding_C2_the_snippet_contains_a_new_key(self):
        printed = self.start("--port", "0", "--keys", self.write("keys.txt", ""), "--", PROGRAM, "demo")
        url = re.search(r"http://127\.0\.0\.1:\d+/mcp", printed).group()
        made = self.run_it("key", "ann", "--url", url)
        snippet = json.loads(re.search(r"^ *({\"mcpServers\".*})$", made.stderr, re.MULTILINE).group(1))
        entry = snippet["mcpServers"]["fairlead"]
        self.assertEqual(entry["url"], url)
        self.assertEqual(entry["headers"], {"Authorization": "Bearer " + made.stdout.strip()})

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_Finding_C2_https_with_keys_on_a_custom_path(self):
        pem_pair(self.home)
        secret = self.run_it("key", "ann", "--keys", "keys.txt").stdout.strip()
        printed = self.start("--port", "0", "--keys", "keys.txt", "--tls-cert", "cert.pem", "--tls-key", "key.pem",
                          "--path", "/tools", "--cors", "https://app.example", "--", PROGRAM, "demo")
        url = re.search(r"https://127\.0\.0\.1:\d+/tools", printed).group()
        done = self.run_it("call", "echo", "text=hi", url, "--bearer", secret, "--cacert", "cert.pem")
        self.assertEqual(done.stdout, "hi\n")

    def test_Finding_C2_origins_and_hosts_can_be_allowed(self):
        printed = self.start("--port", "0", "--cors", "https://app.example", "--", PROGRAM, "demo")
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)/mcp", printed).group(1))
        with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as connection:
            connection.sendall(b"OPTIONS /mcp HTTP/1.1\r\nHost: localhost:%d\r\nOrigin: https://app.example\r\n"
                               b"Access-Control-Request-Method: POST\r\nConnection: close\r\n\r\n" % port)
            answer = b"".join(iter(lambda: connection.recv(4096), b""))
        self.assertIn(b"Access-Control-Allow-Origin: https://app.example", answer)

    def test_Finding_C2_serve_has_the_listen_options_too(self):
        self.write("own.yaml", f"listen: {{port: 1}}\nservers: {{a: {{command: [{PROGRAM}, demo]}}}}\n")
        shown = self.run_it("serve", "-c", "own.yaml", "--show-config", "--port", "0", "--host", "127.0.0.2", "--path",
                            "/x", "--keys", "k", "--cors", "https://app.example", "--allow-host", "tools.example",
                            "--cwd", "/", "--insecure").stdout
        for line in ("port: 0 ", "host: 127.0.0.2", "mcp: /x", "keys_file: k", "insecure: true", "cwd: /"):
            self.assertRegex(shown, rf"(?m)^ *{re.escape(line)}.*# command line$")
        self.assertIn("--tls-key", self.run_it("serve", "-c", "own.yaml", "--tls-cert", "c", code=2).stderr)
        self.assertIn("is already the path of mcp", self.run_it("serve", "-c", "own.yaml", "--path", "/sse", code=2).stderr)

    def test_Finding_C2_stdio_on_both_sides(self):
        self.write("own.yaml", f"servers: {{a: {{command: [{PROGRAM}, demo]}}}}\n")
        for words in (["--stdio", "--", PROGRAM, "demo"], ["serve", "--stdio", "-c", "own.yaml"]):
            done = self.run_it("call", "echo", "text=hi", "--", PROGRAM, *words)
            self.assertEqual(done.stdout, "hi\n")


class Listing(Home):
    def server(self, *failing):
        return ["--", sys.executable, self.stand_in, *failing]

    def test_Finding_C4_failed_lists_do_not_hide_others(self):
        done = self.run_it("list", *self.server("resources/templates/list", "prompts/list"))
        self.assertIn("plain", done.stdout)
        self.assertIn("mem://a", done.stdout)
        self.assertIn("resource templates", done.stderr.lower())
        self.assertIn("prompts", done.stderr.lower())
        self.assertIn("Method not found", done.stderr)

    def test_Finding_C4_json_has_the_failed_lists(self):
        listed = json.loads(self.run_it("list", "--json", *self.server("resources/templates/list")).stdout)
        self.assertEqual(set(listed), {"tools", "resources", "prompts", "failed"})
        self.assertIn("Method not found", listed["failed"]["resourceTemplates"])

    def test_Finding_C4_a_requested_list_that_fails_is_a_failure(self):
        self.run_it("list", "templates", *self.server("resources/templates/list"), code=1)
        self.run_it("list", *self.server("everything"), code=1)


class OnATerminal(Home):
    def test_Finding_C1_the_main_help_is_equal_on_a_terminal(self):
        keyboard, terminal = pty.openpty()
        self.addCleanup(os.close, keyboard)
        running = subprocess.Popen([PROGRAM, "--help"], stdout=terminal, stdin=terminal, env=self.environment)
        os.close(terminal)
        shown = b""
        try:
            while chunk := os.read(keyboard, 65536):
                shown += chunk
        except OSError:  # The terminal is closed.
            pass
        self.assertEqual(running.wait(TIMEOUT), 0)
        self.assertEqual(shown.decode().replace("\r\n", "\n"), self.run_it("--help").stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
