"""usage: config_commands_test.py <program>: the commands that work on configured servers."""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
NAMES = ["serve", "connect", "add", "rm", "ls", "tools", "explain", "pin", "check", "doctor", "list", "call", "read",
         "prompt", "ping", "discover", "smoke", "demo", "answer", "completions", "man"]
SECRET = "hunter2-very-secret"


class Home(unittest.TestCase):
    """Each test has its own home directory."""

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.home)
        kept = {name: value for name, value in os.environ.items()
                if name not in ("DEBUG", "FAIRLEAD_DEBUG", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR")}
        self.environment = kept | {"HOME": str(self.home)}
        self.own = self.home / ".config/fairlead/servers.json"

    def run_it(self, *words, code=0, **environment):
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=240,
                              stdin=subprocess.DEVNULL, env=self.environment | environment, cwd=self.home)
        self.assertEqual(done.returncode, code, (words, done.stdout, done.stderr))
        return done

    def json_of(self, *words, code=0):
        return json.loads(self.run_it(*words, "--json", code=code).stdout)

    def write(self, name, text):
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


class Servers(Home):
    def test_a_server_is_added_used_and_removed(self):
        self.assertIn("added to", self.run_it("add", "demo", "--", PROGRAM, "demo").stdout)
        [row] = self.json_of("ls")
        self.assertEqual((row["name"], row["kind"], row["state"]), ("demo", "command", "ready"))
        self.assertGreater(row["tools"], 3)
        self.assertIn("\n  echo ", self.run_it("tools").stdout)
        self.assertEqual(self.run_it("call", "demo.echo", "text=hi").stdout, "hi\n")
        self.assertIn(": ok", self.run_it("check").stdout)
        self.assertEqual(self.json_of("rm", "demo")["removed"], ["demo"])
        self.assertEqual(self.json_of("ls"), [])

    def test_Finding_C6_rejects_names_that_are_not_valid_in_urls(self):
        for name in ("bad name", "a/b", "", "é", ".."):
            done = self.run_it("add", name, "--", PROGRAM, "demo", code=2)
            self.assertIn(f"'{name}' is not a name for a server: use letters, digits", done.stderr)
        self.assertFalse(self.own.exists())

    def test_Finding_C6_counts_have_singular_and_plural(self):
        self.run_it("add", "demo", "--", PROGRAM, "demo")
        self.assertRegex(self.run_it("ls", "--offline").stdout, r"demo +unchecked +command ")
        self.assertRegex(self.run_it("check").stdout, r"^1 server, \d+ tools: ok\n$")

    def test_Finding_C6_connect_suggests_a_url(self):
        done = self.run_it("connect", "example.com/mcp", code=2)
        self.assertIn("'example.com/mcp' is neither a URL nor a configured server; for a URL write https://example.com/mcp", done.stderr)

    def test_Finding_C6_no_defaults_omits_defaults(self):
        path = self.write("some.yaml", "listen: {port: 9123}\nservers: {a: {command: [run, it]}}\n")
        whole = self.run_it("serve", "-c", path, "--show-config").stdout
        brief = self.run_it("serve", "-c", path, "--show-config", "--no-defaults", "--host", "127.0.0.2").stdout
        self.assertIn("# default", whole)
        self.assertNotIn("default", brief)
        self.assertEqual([line.split("  #")[0] for line in brief.splitlines()],
                         ["servers:", "  a:", "    command: [run, it]", "listen:", "  host: 127.0.0.2", "  port: 9123"])

    def test_a_new_file_and_its_directory_are_private(self):
        self.run_it("add", "demo", "-e", f"API_TOKEN={SECRET}", "--", PROGRAM, "demo")
        self.assertEqual(stat.S_IMODE(self.own.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(self.own.parent.stat().st_mode), 0o700)
        self.assertEqual(json.loads(self.own.read_text())["mcpServers"]["demo"]["env"], {"API_TOKEN": SECRET})

    def test_respects_xdg_config_home(self):
        elsewhere = self.home / "elsewhere"
        self.run_it("add", "demo", "--", PROGRAM, "demo", XDG_CONFIG_HOME=str(elsewhere))
        self.assertTrue((elsewhere / "fairlead/servers.json").exists())

    def test_add_keeps_comments(self):
        path = self.write("mine.yaml", "# mine\nservers:\n  a: http://127.0.0.1:1/mcp # not there\n")
        self.run_it("add", "b", "--url", "http://127.0.0.1:2/mcp", "-H", f"X-Key: {SECRET}", "-c", path)
        self.assertTrue(path.read_text().startswith("# mine\nservers:\n  a: http://127.0.0.1:1/mcp # not there\n"))
        self.assertEqual([row["name"] for row in self.json_of("ls", "--offline", "-c", path)], ["a", "b"])
        self.run_it("rm", "b", "-c", path)
        self.assertEqual(path.read_text(), "# mine\nservers:\n  a: http://127.0.0.1:1/mcp # not there\n")

    def test_secrets_are_never_shown(self):
        self.run_it("add", "one", "-e", f"API_TOKEN={SECRET}", "--", PROGRAM, "demo", "--keys-token", SECRET)
        self.run_it("add", "two", "--url", "http://127.0.0.1:1/mcp", "-H", f"Authorization: Bearer {SECRET}")
        for words in (["ls"], ["ls", "--json"], ["tools"], ["check"], ["check", "--json"], ["doctor"],
                      ["serve", "--show-config"]):
            done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=240, env=self.environment)
            self.assertNotIn(SECRET, done.stdout + done.stderr, words)

    def test_imports_servers_of_other_clients(self):
        entry = {"command": PROGRAM, "args": ["demo"], "env": {"TOKEN": "${SOME_TOKEN}"}}
        self.write(".claude.json", json.dumps({"numStartups": 7, "mcpServers": {"a": entry}}))
        self.write(".config/Claude/claude_desktop_config.json", json.dumps({"mcpServers": {"b": entry}}))
        self.write(".cursor/mcp.json", json.dumps({"mcpServers": {"a": entry, "c": entry}}))
        self.write(".config/Code/User/mcp.json", json.dumps({"servers": {"d": entry, "e": entry}}))
        os.environ["SOME_TOKEN"] = self.environment["SOME_TOKEN"] = SECRET
        self.assertEqual(self.json_of("add", "--from", "claude")["added"], ["a", "b"])
        cursor = self.json_of("add", "--from", "cursor")
        self.assertEqual((cursor["added"], cursor["skipped"]), (["c"], ["a"]))
        self.assertEqual(self.json_of("add", "--from", "vscode", "e")["added"], ["e"])
        self.assertNotIn(SECRET, self.own.read_text())
        self.assertIn("${SOME_TOKEN}", self.own.read_text())

    def test_tools_have_the_names_that_the_gateway_offers(self):
        for name in ("one", "two"):
            self.run_it("add", name, "--", PROGRAM, "demo")
        names = {tool["name"] for tool in self.json_of("tools")["tools"]}
        self.assertLessEqual({"one__echo", "two__echo"}, names)
        self.assertEqual({tool["server"] for tool in self.json_of("tools", "two")["tools"]}, {"two"})
        self.assertTrue(any("clashes" in line for line in self.json_of("check")["warnings"]))

    def test_a_dead_server_does_not_hide_others(self):
        self.run_it("add", "mute", "--", "sleep", "100")
        self.run_it("add", "gone", "--url", "http://127.0.0.1:1/mcp")
        self.run_it("add", "demo", "--", PROGRAM, "demo")
        states = {row["name"]: row["state"] for row in self.json_of("ls", "--timeout", "8s")}
        self.assertEqual(states, {"mute": "failing", "gone": "failing", "demo": "ready"})
        done = self.run_it("tools", "--timeout", "8s", code=3)
        self.assertIn("echo", done.stdout)
        self.assertIn("mute does not respond: no response within 8s", done.stderr)
        self.assertEqual(len(self.json_of("check", "--timeout", "8s", code=3)["unreachable"]), 2)


class Check(Home):
    def test_check_reports_the_line_of_every_problem(self):
        path = self.write("bad.yaml", "servers:\n  a:\n    comand: [x]\n  b:\n    url: nonsense\n")
        report = self.json_of("check", path, code=1)
        self.assertTrue(any("bad.yaml:3" in line for line in report["problems"]), report)
        self.assertTrue(any("bad.yaml:5" in line for line in report["problems"]), report)

    def test_check_reports_a_retired_argument_once(self):
        path = self.write("old.yaml", f'servers: {{demo: {{command: ["{PROGRAM}", demo]}}}}\nchain: ["timeout(30s, cap=5m)"]\n')
        problems = self.json_of("check", "--offline", path, code=1)["problems"]
        self.assertEqual(problems, [f"{path}:2: chain[0]: timeout(cap=…) was renamed to max_time"])

    def test_check_rejects_unknown_middleware(self):
        path = self.write("chain.yaml", f"chain:\n  - tiemout(3s)\nservers:\n  a: stdio:{PROGRAM} demo\n")
        self.assertIn("tiemout", self.run_it("check", "--offline", path, code=1).stdout)

    def test_check_finds_missing_programs_offline(self):
        path = self.write("missing.yaml", "servers:\n  a: stdio:no-such-program-here\n")
        self.assertIn("program 'no-such-program-here' not found", self.run_it("check", "--offline", path, code=1).stdout)

    def test_check_reports_truncated_names(self):
        path = self.write("long.yaml", f"naming: {{prefix: always, max_length: 14}}\nservers:\n  a: stdio:{PROGRAM} demo\n")
        self.assertTrue(any("longer than 14" in line for line in self.json_of("check", path)["warnings"]))


class Doctor(Home):
    def test_doctor_tries_both_eras(self):
        self.run_it("add", "demo", "--", PROGRAM, "demo")
        self.run_it("add", "gone", "--", "no-such-program-here")
        findings = {each["about"]: each for each in self.json_of("doctor", code=1)}
        self.assertIn("both eras", findings["server demo"]["detail"])
        self.assertEqual(findings["server gone"]["state"], "bad")
        self.assertIn("install 'no-such-program-here'", findings["server gone"]["fix"])
        self.assertLessEqual({"PATH", "node", "npx", "uvx", "certificates", "port"}, set(findings))


class Mistakes(Home):
    def refused(self, *words, expected):
        done = self.run_it(*words, code=2)
        self.assertEqual(done.stdout, "")
        self.assertIn(expected, done.stderr, words)

    def test_usage_errors_say_what_to_change(self):
        self.refused("add", expected="give one name")
        self.refused("add", "a", expected="--url")
        self.refused("add", "a", "--url", "http://x/mcp", "--", "b", expected="--url")
        self.refused("add", "a", "-e", SECRET, "--", "b", expected="NAME=value")
        self.refused("add", "a", "-H", "X: y", "--", "b", expected="-e NAME=value")
        self.refused("add", "a", "--url", "http://x/mcp", "-e", "A=b", expected="-H 'Name: value'")
        self.refused("add", "--from", "emacs", expected="claude|cursor|vscode")
        self.refused("rm", expected="name the server")
        self.refused("check", "nowhere.yaml", expected="no such file: nowhere.yaml")
        self.refused("ls", "--timeout", "soon", expected="30s")
        self.refused("completions", expected="bash, zsh or fish")
        self.refused("completions", "tcsh", expected="bash|zsh|fish")
        self.refused("serve", "--port", "many", expected="65535")
        for command in ("ls", "tools", "check", "call"):
            self.refused(command, *(["demo.echo"] if command == "call" else []), expected="fairlead add")
        for command in ("ls", "tools", "check", "doctor", "rm", "add", "completions", "man"):
            self.refused(command, "--nonsense", expected=f"see fairlead {command} --help")

    def test_an_unknown_server_error_lists_known_servers(self):
        self.run_it("add", "demo", "--", PROGRAM, "demo")
        self.refused("call", "dmeo.echo", expected="did you mean 'demo'? configured: demo")
        self.refused("tools", "other", expected="configured: demo")
        self.assertIn("has no server 'other'", self.run_it("rm", "other", code=1).stderr)
        self.assertIn("already", self.run_it("add", "demo", "--", "x", code=1).stderr)
        self.assertIn("no configuration of cursor found", self.run_it("add", "--from", "cursor", code=1).stderr)


def completed_by_zsh(folder, line):
    """The command line of a real zsh after pressing Tab."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "HOME": str(folder)})
    shown, deadline = "", time.monotonic() + 60
    try:
        start = f"bindkey -e; fpath=({folder} $fpath); autoload -Uz compinit; compinit -D -u; echo rea''dy\n"
        for keys, end in ((start, "\nready"), (f"{line}\t\x01echo '[\x05]' en''d\n", "] end")):
            os.write(terminal, keys.encode())
            while end not in shown and time.monotonic() < deadline:
                if select.select([terminal], [], [], 1)[0]:
                    shown += os.read(terminal, 4096).decode(errors="replace")
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)
    return (re.findall(r"\[([^\[\]]*)\] end", shown) or [shown])[-1].strip()


class Pages(Home):
    def test_every_command_has_examples(self):
        for name in NAMES:
            self.assertIn("\nExamples\n", self.run_it(name, "--help").stdout, name)

    def test_completions_are_scripts_that_name_every_command_and_option(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.run_it("completions", shell).stdout
            for word in [*NAMES, "show-config", "offline", "from"]:
                self.assertIn(word, script, shell)

    def test_bash_completes_commands_options_and_choices(self):
        script = self.run_it("completions", "bash").stdout
        for words, wanted in ((["do"], "doctor"), (["serve", "--sh"], "--show-config"),
                              (["add", "--from", "cu"], "cursor"), (["completions", "f"], "fish")):
            line = f"COMP_WORDS=(fairlead {' '.join(words)}); COMP_CWORD={len(words)}; _fairlead; echo ${{COMPREPLY[@]}}"
            done = subprocess.run(["bash", "-c", script + line], capture_output=True, text=True)
            self.assertEqual((done.stdout.strip(), done.stderr), (wanted, ""), words)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_completes_commands_options_and_choices(self):
        script = self.run_it("completions", "fish").stdout
        for words, wanted in (("doc", "doctor"), ("serve --sh", "--show-config"), ("add --from cu", "cursor")):
            completion = f"{script}\ncomplete -C 'fairlead {words}'"
            done = subprocess.run(["fish", "-N", "-c", completion], capture_output=True, text=True, env=self.environment)
            offered = [line.split("\t")[0] for line in done.stdout.splitlines() if line.strip()]
            self.assertEqual((offered, done.stderr), ([wanted], ""), words)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_completes_commands_options_and_choices(self):
        with open(os.path.join(self.home, "_fairlead"), "w", encoding="utf-8") as file:
            file.write(self.run_it("completions", "zsh").stdout)
        for words, wanted in (("doc", "doctor"), ("serve --sh", "serve --show-config"), ("add --from cu", "add --from cursor")):
            self.assertEqual(completed_by_zsh(self.home, f"fairlead {words}"), f"fairlead {wanted}")

    def test_the_manual_has_a_section_for_every_command(self):
        page = self.run_it("man").stdout
        for name in NAMES:
            self.assertIn(f'.SS "fairlead {name}"', page)
        self.assertIn("EXIT STATUS", page)


class BuiltIn(Home):
    def test_serve_answers_the_curl_command_that_it_prints(self):
        serving = subprocess.Popen([PROGRAM, "serve", "--port", "0"], stderr=subprocess.PIPE, text=True,
                                   env=self.environment, cwd=self.home)
        self.addCleanup(serving.stderr.close)
        self.addCleanup(serving.wait)
        self.addCleanup(serving.kill)
        printed = ""
        while "Ctrl-C" not in printed:
            line = serving.stderr.readline()
            self.assertTrue(line, printed)
            printed += line
        for part in ("/mcp", "/sse", "ws://", "/rpc", "timeout(60s)", "command: ["):
            self.assertIn(part, printed)
        if shutil.which("curl"):
            line = re.search(r"curl .*", printed).group()
            done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=120)
            self.assertEqual(json.loads(done.stdout)["result"]["content"], [{"type": "text", "text": "hello"}])
        serving.send_signal(signal.SIGINT)
        self.assertEqual(serving.wait(60), 0)

    def test_serve_prefers_configured_servers(self):
        self.assertIn("demo", self.run_it("serve", "--show-config").stdout)
        self.run_it("add", "mine", "--", PROGRAM, "demo")
        self.assertIn("mine", self.run_it("serve", "--show-config").stdout)
        self.assertNotIn("mine", self.run_it("serve", "--built-in", "--show-config").stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
