"""usage: program_test.py <program> <version>: the commands of the program."""
import json
import os
import pty
import subprocess
import sys
import tempfile
import unittest

from conformance_server import conformance_server

PROGRAM, VERSION = os.path.abspath(sys.argv[1]), sys.argv[2]
COMMANDS = ["list", "call", "read", "prompt", "ping", "discover", "smoke", "demo", "answer"]
DEMO = ["--", PROGRAM, "demo"]
FIXTURES = ["--", conformance_server(PROGRAM)]
# The environment of the machine must not enable debugging.
CLEAN = {name: value for name, value in os.environ.items() if name not in ("DEBUG", "FAIRLEAD_DEBUG")}


def run(*arguments, stdin="", **environment):
    return subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, text=True, timeout=120,
                          env={**CLEAN, **environment})


def request(method, id=1, **params):
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}) + "\n"


INITIALIZE = request("initialize", 0, protocolVersion="2025-06-18", capabilities={},
                     clientInfo={"name": "test", "version": "1"})


class Program(unittest.TestCase):
    def test_prints_its_version(self):
        done = run("--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines()[0], f"fairlead {VERSION}")

    def test_lists_supported_revisions_oldest_first(self):
        revisions = "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28"
        self.assertEqual(run("--version").stdout.splitlines()[1], f"MCP revisions: {revisions}")

    def test_help_option_shows_help(self):
        for option in ("--help", "-h", "help"):
            done = run(option)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("usage: fairlead", done.stdout)
            for command in COMMANDS:
                self.assertIn(f"\n  {command} ", done.stdout)

    def test_shows_help_without_an_argument(self):
        self.assertEqual(run().stdout, run("--help").stdout)

    def test_every_command_has_a_page_with_examples(self):
        for command in COMMANDS:
            done = run(command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertIn(f"usage: fairlead {command}", done.stdout)
            self.assertIn("Examples\n", done.stdout)
            self.assertEqual(run("help", command).stdout, done.stdout)

    def test_rejects_unknown_commands(self):
        done = run("--nonsense")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--nonsense", done.stderr)
        self.assertIn("fairlead --help", done.stderr)

    def test_suggests_a_similar_command(self):
        done = run("lsit")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("did you mean 'list'?", done.stderr)

    def test_rejects_unknown_options(self):
        for command in COMMANDS:
            words = ["x"] if command in ("call", "read", "prompt") else []
            done = run(command, *words, "--nonsense", *DEMO)
            self.assertEqual((done.returncode, done.stdout), (2, ""), command)
            self.assertIn("--nonsense", done.stderr)
            self.assertIn(f"see fairlead {command} --help", done.stderr)

    def test_rejects_extra_arguments(self):
        self.assertEqual(run("--version", "--nonsense").returncode, 2)
        self.assertEqual(run("demo", "--", "something").returncode, 2)

    def test_fails_when_stdout_is_closed(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([PROGRAM, "--version"], stdout=full, stderr=subprocess.PIPE, timeout=20)
        self.assertEqual(done.returncode, 1)


class Demo(unittest.TestCase):
    def answers(self, stdin, *options):
        done = run("demo", *options, stdin=stdin)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_answers_and_ends_with_its_input(self):
        call = request("tools/call", 2, name="echo", arguments={"text": "hi"})
        hello, result = self.answers(INITIALIZE + call)
        self.assertEqual(hello["result"]["serverInfo"]["name"], "fairlead-demo")
        self.assertEqual(result["result"]["content"], [{"type": "text", "text": "hi"}])

    def test_survives_bad_input_at_any_byte(self):
        good = INITIALIZE + request("ping", 1)
        for cut in range(0, len(INITIALIZE), 9):
            answers = self.answers(INITIALIZE[:cut] + "\x01\n" + good)
            self.assertIn({"jsonrpc": "2.0", "id": 1, "result": {}}, answers, cut)

    def test_answers_invalid_messages_with_an_error(self):
        for bad in ("{", "[]", "7", '{"jsonrpc":"2.0"}', "nonsense"):
            answers = self.answers(bad + "\n" + INITIALIZE)
            self.assertEqual(answers[0]["error"]["code"], -32600 if bad != "{" and bad != "nonsense" else -32700, bad)
            self.assertIn("result", answers[-1])

    def test_answers_content_length_with_content_length(self):
        body = request("ping").strip()
        done = run("demo", stdin=f"Content-Length: {len(body)}\r\n\r\n{body}")
        self.assertTrue(done.stdout.startswith("Content-Length: "), done.stdout)
        self.assertTrue(done.stdout.endswith('{"jsonrpc":"2.0","id":1,"result":{}}'))


class Debugging(unittest.TestCase):
    SHAPES = ["stdin chunk=", "recv method=ping", "send (line) bytes=", 'send json={"jsonrpc"']

    def log_of(self, *options, **environment):
        done = run("demo", *options, stdin=request("ping"), **environment)
        self.assertEqual(done.stdout, '{"jsonrpc":"2.0","id":1,"result":{}}\n', done.stderr)
        return done.stderr

    def config(self, text):
        file = tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False)
        self.addCleanup(os.unlink, file.name)
        with file:
            file.write(text)
        return file.name

    def test_S0_26_command_line_over_environment_over_yaml(self):
        on, off = self.config("debug: true\n"), self.config("debug: false\n")
        self.assertEqual(self.log_of(), "")
        self.assertIn("recv", self.log_of("--config", on))
        self.assertEqual(self.log_of("--config", on, FAIRLEAD_DEBUG="0"), "")
        self.assertIn("recv", self.log_of("--config", off, FAIRLEAD_DEBUG="1"))
        self.assertIn("recv", self.log_of("--debug", "--config", off, FAIRLEAD_DEBUG="0"))
        self.assertEqual(self.log_of("--debug=off", "--config", on, FAIRLEAD_DEBUG="1"), "")

    def test_S0_28_step_lines_go_to_stderr_in_their_shapes(self):
        log = self.log_of("--debug")
        for shape in self.SHAPES:
            self.assertIn(shape, log)
        body = request("ping").strip()
        framed = run("demo", "--debug", stdin=f"Content-Length: {len(body)}\r\n\r\n{body}").stderr
        self.assertIn("headerEnd=", framed)
        self.assertIn("send (framed) bytes=", framed)

    def test_debug_works_before_the_command(self):
        done = run("--debug", "demo", stdin=request("ping"))
        self.assertIn("recv method=ping", done.stderr)

    def test_debug_file_gets_the_lines_too(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "deep", "debug.log")
            shown = self.log_of(f"--debug={path}").splitlines()
            with open(path, encoding="utf-8") as file:
                written = file.read().splitlines()
        # The two sinks have their own timestamps.
        self.assertEqual([line.split(" ", 1)[1] for line in written], [line.split(" ", 1)[1] for line in shown])

    def test_S1_51_secrets_stay_out_of_the_log(self):
        call = request("tools/call", name="json_schema_2020_12_tool", arguments={"password": "hunter2", "email": "x"})
        log = subprocess.run([FIXTURES[1], "--debug"], input=INITIALIZE + call, capture_output=True, text=True, timeout=120,
                             env=CLEAN).stderr
        self.assertIn("send json=", log)
        self.assertNotIn("hunter2", log)

    def test_a_client_logs_its_steps_too(self):
        done = run("ping", "--debug", *DEMO)
        self.assertIn("send json=", done.stderr)
        self.assertNotIn("send json=", done.stdout)

    def test_reports_an_unreadable_config(self):
        done = run("demo", "--config", "/nowhere/x.yaml")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("/nowhere/x.yaml", done.stderr)


class ClientCommands(unittest.TestCase):
    def ok(self, *arguments, stdin="", server=DEMO):
        done = run(*arguments, *server, stdin=stdin)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_list_shows_everything_as_text(self):
        shown = self.ok("list").stdout
        for text in ("Tools\n", "Resources\n", "Resource templates\n", "Prompts\n", "  echo ", "Returns the given text"):
            self.assertIn(text, shown)

    def test_list_shows_one_kind_with_its_arguments(self):
        shown = self.ok("list", "tools", "--long").stdout
        self.assertIn("string, required: Text to return", shown)
        self.assertNotIn("Prompts", shown)

    def test_list_prints_one_json_document(self):
        listed = json.loads(self.ok("list", "--json").stdout)
        self.assertEqual(set(listed), {"tools", "resources", "resourceTemplates", "prompts"})
        self.assertEqual(set(json.loads(self.ok("list", "templates", "--json").stdout)), {"resourceTemplates"})

    def test_list_rejects_an_unknown_kind(self):
        done = run("list", "tolls", *DEMO)
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_call_prints_only_the_result(self):
        done = self.ok("call", "echo", "text=hi there")
        self.assertEqual((done.stdout, done.stderr), ("hi there\n", ""))

    def test_call_converts_values_to_schema_types(self):
        self.assertEqual(self.ok("call", "add", "a=1", "b=2.5").stdout, "3.5\n")
        self.assertEqual(self.ok("call", "echo", "text=42").stdout, "42\n")
        weather = json.loads(self.ok("call", "weather", "city=Rome", "details=a", "details=b", "--json").stdout)
        self.assertEqual(weather["structuredContent"]["details"], ["a", "b"])

    def test_call_takes_json(self):
        self.assertEqual(self.ok("call", "add", "--args", '{"a":1,"b":5}', "b:=2").stdout, "3\n")

    def test_call_rejects_a_value_of_the_wrong_type(self):
        done = run("call", "add", "a=one", "b=2", *DEMO)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("a: expected number, got 'one'", done.stderr)

    def test_call_prints_progress_to_stderr(self):
        done = self.ok("call", "progress", "steps=2")
        self.assertEqual((done.stdout, done.stderr), ("2 steps done\n", "[1/2]\n[2/2]\n"))

    def test_call_prints_log_messages_to_stderr(self):
        done = self.ok("call", "test_logging_tool", "--log-level", "error", server=FIXTURES)
        self.assertIn("error demo: a message of the level error\n", done.stderr)
        self.assertNotIn("warning", done.stderr)

    def test_call_fails_if_the_tool_fails(self):
        done = run("call", "fail", *DEMO)
        self.assertEqual(done.returncode, 1)
        self.assertIn("always fails", done.stdout)
        self.assertIn("reported an error", done.stderr)
        self.assertTrue(json.loads(run("call", "fail", "--json", *DEMO).stdout)["isError"])

    def test_call_suggests_a_similar_tool(self):
        done = run("call", "ehco", *DEMO)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("did you mean 'echo'?", done.stderr)

    def test_call_speaks_every_revision(self):
        for revision in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"):
            self.assertEqual(self.ok("call", "echo", "text=hi", "--revision", revision).stdout, "hi\n")
            about = json.loads(self.ok("discover", "--json", "--revision", revision).stdout)
            self.assertEqual(about["revision"], revision)
        self.assertEqual(run("ping", "--revision", "2026", *DEMO).returncode, 2)

    def test_call_speaks_content_length(self):
        self.assertEqual(self.ok("call", "echo", "text=hi", "--framing", "content-length").stdout, "hi\n")

    def test_elicitation_is_declined_without_a_terminal(self):
        for era in ("handshake", "stateless"):
            done = run("call", "confirm_delete", "filename=x", "--era", era, *FIXTURES)
            self.assertEqual(done.returncode, 1, era)
            self.assertIn("The server asks: Delete x?", done.stderr)
            self.assertIn("--answer", done.stderr)

    def test_elicitation_is_answered_by_options(self):
        for era in ("handshake", "stateless"):
            options = ["--era", era, "--answer", "confirm=true"]
            self.assertEqual(self.ok("call", "confirm_delete", "filename=x", *options, server=FIXTURES).stdout,
                             "Deleted x\n")
            sampled = self.ok("call", "ask_model", "prompt=hm", "--era", era, "--sample", "so it is")
            self.assertEqual(sampled.stdout, "The model answered: so it is\n")
            roots = self.ok("call", "list_roots", "--era", era, "--root", "file:///a", "--root", "file:///b")
            self.assertEqual(roots.stdout, "2 roots\nfile:///a\nfile:///b\n")

    def test_elicitation_prompts_on_a_terminal(self):
        keyboard, terminal = pty.openpty()
        self.addCleanup(os.close, keyboard)
        os.write(keyboard, b"maybe\ntrue\ny\n")
        done = subprocess.run([PROGRAM, "call", "confirm_delete", "filename=x", *FIXTURES], stdin=terminal,
                              capture_output=True, text=True, timeout=120, env=CLEAN)
        os.close(terminal)
        self.assertEqual((done.returncode, done.stdout), (0, "Deleted x\n"), done.stderr)
        self.assertIn("expected boolean, got 'maybe'", done.stderr)

    def test_read_prints_text_and_bytes_unchanged(self):
        self.assertEqual(self.ok("read", "demo://welcome").stdout, "Welcome! This server shows each feature of MCP once.\n")
        done = subprocess.run([PROGRAM, "read", "demo://picture", *DEMO], capture_output=True, timeout=120)
        self.assertEqual(done.stdout[:8], b"\x89PNG\r\n\x1a\n")
        self.assertIn("blob", json.loads(self.ok("read", "demo://picture", "--json").stdout)["contents"][0])

    def test_read_reports_a_missing_resource(self):
        done = run("read", "demo://nothing", *DEMO)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("not found", done.stderr)

    def test_prompt_passes_its_arguments(self):
        shown = self.ok("prompt", "plan_trip", "city=Rome", "days=2").stdout
        self.assertEqual(shown, "user: Plan a trip to Rome of 2 days. Ask the tool weather for the temperature.\n")
        filled = json.loads(self.ok("prompt", "plan_trip", "city=Rome", "--json").stdout)
        self.assertEqual(filled["messages"][0]["role"], "user")
        self.assertEqual(run("prompt", "plan_trip", "bare", *DEMO).returncode, 2)

    def test_ping_and_discover_show_the_server(self):
        self.assertIn("fairlead-demo responded in", self.ok("ping").stdout)
        self.assertEqual(json.loads(self.ok("ping", "--json").stdout)["server"], "fairlead-demo")
        self.assertIn("fairlead-demo", self.ok("discover").stdout)
        self.assertIn("tools", json.loads(self.ok("discover", "--json").stdout)["capabilities"])

    def test_a_missing_server_is_a_usage_error(self):
        for command in (["list"], ["call", "echo"], ["read", "x:y"], ["prompt", "p"], ["ping"], ["discover"], ["smoke"]):
            done = run(*command)
            self.assertEqual((done.returncode, done.stdout), (2, ""), command)
            self.assertIn("--", done.stderr)

    def test_an_unreachable_server_has_its_own_exit_code(self):
        for server in (["/nowhere/server"], ["false"]):
            for command in (["list"], ["ping"], ["smoke"]):
                done = run(*command, "--timeout", "20s", "--", *server)
                self.assertEqual(done.returncode, 3, (command, server, done.stderr))

    def test_passes_environment_and_directory_to_the_server(self):
        script = 'test "$COLOUR" = blue && test "$PWD" = / && exec "$0" demo'
        done = run("ping", "-e", "COLOUR=blue", "--cwd", "/", "--", "sh", "-c", script, PROGRAM)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(run("ping", "-e", "COLOUR", *DEMO).returncode, 2)

    def test_shows_the_stderr_of_the_server(self):
        done = run("ping", "--", "sh", "-c", 'echo starting >&2; exec "$0" demo', PROGRAM)
        self.assertIn("starting\n", done.stderr)

    def test_rejects_an_invalid_timeout(self):
        done = run("ping", "--timeout", "soon", *DEMO)
        self.assertEqual(done.returncode, 2)
        self.assertIn("30s", done.stderr)


class Smoke(unittest.TestCase):
    def test_S0_30_three_requests_three_responses(self):
        for framing in ("line", "content-length"):
            done = run("smoke", "--framing", framing, *DEMO)
            self.assertEqual(done.returncode, 0, done.stderr)
            steps = [line.split()[:2] for line in done.stdout.splitlines()[:3]]
            self.assertEqual(steps, [["ok", "initialize"], ["ok", "tools/list"], ["ok", "tools/call"]])
            self.assertIn("3 requests, 3 responses", done.stdout)

    def test_calls_the_given_tool(self):
        done = run("smoke", "--json", "--tool", "echo", "--args", '{"text":"hi"}', *DEMO)
        report = json.loads(done.stdout)
        self.assertTrue(report["ok"])
        self.assertIn("echo", report["steps"][2]["detail"])
        self.assertEqual(run("smoke", "--tool", "nothing", *DEMO).returncode, 1)

    def test_reports_errors(self):
        # On a busy machine, the shell may need longer to print its line.
        for limit in ("500ms", "20s"):
            done = run("smoke", "--timeout", limit, "--", "sh", "-c", "echo hello; cat >/dev/null")
            self.assertEqual(done.returncode, 1)
            self.assertIn("--timeout", done.stdout)
            if "not a JSON-RPC message" in done.stdout:
                return
        self.fail(done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
