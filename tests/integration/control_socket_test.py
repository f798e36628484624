"""usage: control_socket_test.py <program>: `fairlead tap` and `fairlead ls --watch` on a running gateway."""
import hashlib
import json
import os
import pty
import re
import select
import signal
import stat
import subprocess
import time

from gateway_process import TIMEOUT, PROGRAM, Program, Running, Session, demo, run_tests

SECRET = "hunter2-very-secret"


class Caller(Session):
    """A client with its own name and headers."""

    def __init__(self, port, key):
        self.key = key
        super().__init__(port)

    @property
    def headers(self):
        return self.kept | {"Authorization": "Bearer " + self.key}

    @headers.setter
    def headers(self, headers):
        self.kept = headers


class Command(Running):
    """A command that runs beside the gateway; its stdout is a file."""

    def __init__(self, path, *words, env):
        self.output = path
        with open(path, "w", encoding="utf-8") as file:
            self.process = subprocess.Popen([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stdout=file,
                                            stderr=subprocess.PIPE, text=True, env=env)
        self.follow()

    def text(self):
        return self.output.read_text(encoding="utf-8")

    def lines_out(self):
        return self.text().splitlines()

    def wait_for_output(self, pattern):
        last = time.monotonic() + TIMEOUT
        while time.monotonic() < last:
            if found := re.search(pattern, self.text(), re.DOTALL):
                return found
            time.sleep(0.05)
        raise AssertionError(f"never printed {pattern}: {self.text()} {self.printed()}")

    def end(self):
        return self.wait()


class LateReader(Command):
    """A command whose last output is read late, as on a busy machine."""

    def listen(self):
        self.process.wait(TIMEOUT)
        time.sleep(0.2)
        super().listen()


class ControlTest(Program):
    def setUp(self):
        super().setUp()
        self.runtime = self.folder / "run"
        self.runtime.mkdir(mode=0o700)
        self.environment |= {"XDG_RUNTIME_DIR": str(self.runtime), "TMPDIR": str(self.folder), "GIT_TOKEN": SECRET}
        self.environment.pop("NO_COLOR", None)
        self.sockets = self.runtime / "fairlead"

    def serve(self, servers=None, **more):
        """Starts a gateway. Returns it and its port."""
        config = {"listen": {"port": 0}, "servers": servers or {"git": demo()}} | more
        gateway = self.start("serve", "-c", self.write("gateway.json", config))
        return gateway, gateway.port()

    def start_command(self, *words):
        count = len(list(self.folder.glob("out*")))
        command = Command(self.folder / f"out{count}", *words, env=self.environment)
        self.addCleanup(self.end_command, command)
        return command

    @staticmethod
    def end_command(command):
        if command.process.poll() is None:
            command.process.kill()
        command.process.wait()
        command.process.stderr.close()

    def tap(self, *words):
        """Starts a tap and waits until it listens."""
        command = self.start_command("tap", *words)
        command.wait_for(r"listening to gateway \d+")
        return command

    def socket_of(self, gateway):
        return self.sockets / f"{gateway.process.pid}.sock"


class TapCommandTest(ControlTest):
    def test_a_filter_shows_only_the_calls_of_one_client(self):
        keys = {name: hashlib.sha256(key.encode()).hexdigest() for name, key in
                (("alice", "alices-key"), ("bob", "bobs-key"))}
        _, port = self.serve(listen={"port": 0, "keys": keys})
        alice, bob = Caller(port, "alices-key"), Caller(port, "bobs-key")
        tap = self.tap("--json", "caller:alice", "tool:echo", "-kind:notification", "--count", "2")
        bob.call("echo", text="of bob")
        alice.call("add", a=1, b=2)
        alice.call("echo", text="of alice")
        self.assertEqual(tap.end(), 0, tap.printed())
        call, reply = map(json.loads, tap.lines_out())
        self.assertEqual((call["kind"], call["from"], call["caller"], call["tool"], call["server"]),
                         ("call", "client", "alice", "echo", "git"))
        self.assertEqual(call["params"]["arguments"], {"text": "of alice"})
        self.assertEqual((reply["kind"], reply["from"], reply["status"], reply["method"]),
                         ("reply", "server", "ok", "tools/call"))
        self.assertEqual(reply["result"]["content"][0]["text"], "of alice")
        self.assertGreater(reply["ms"], 0)
        self.assertEqual((call["session"], call["call"], call["id"]),
                         (reply["session"], reply["call"], reply["id"]))

    def test_shows_everything_without_a_filter(self):
        _, port = self.serve()
        tap = self.tap("kind:*")
        Session(port).call("echo", text="hello")
        tap.wait_for_output(r"← [^\n]*tools/call echo")
        lines = tap.lines_out()
        for pattern in (r"^\d\d:\d\d:\d\d\.\d{3} → #\d+ +\(connected\)$", r"→ #\d+ .*initialize", r"← #\d+ test .*initialize .*ok ",
                        r"→ #\d+ test .*notifications/initialized",
                        r'→ #\d+ test +tools/call echo @git +id=1 .* B +\{"text": ?"hello"\}$',
                        r'← #\d+ test +tools/call echo @git +id=1 +ok +[\d.]+ ms +\d+ B +\{.*"hello"'):
            self.assertTrue(any(re.search(pattern, line) for line in lines), (pattern, lines))
        self.assertNotIn("\x1b", tap.text())

    def test_status_filter_shows_failed_calls(self):
        _, port = self.serve()
        tap = self.tap("status:error", "method:tools/call", "--count", "4")
        client = Session(port)
        client.call("echo", text="fine")
        client.request("tools/call", {"name": "fail", "arguments": {}})
        client.request("tools/call", {"name": "there_is_none", "arguments": {}})
        self.assertEqual(tap.end(), 0)
        lines = tap.lines_out()
        self.assertRegex(lines[0], "→ .*fail")
        self.assertRegex(lines[1], "← .*fail.* tool_error ")
        self.assertRegex(lines[2], "→ .*there_is_none")
        self.assertRegex(lines[3], "← .*there_is_none.* error .*-32602")

    def test_output_file_has_json_lines_and_is_private(self):
        _, port = self.serve()
        path = self.folder / "wire.jsonl"
        tap = self.tap("tool:echo", "-o", path, "--count", "2")
        Session(port).call("echo", text="x" * 3000)
        self.assertEqual(tap.end(), 0)
        call, reply = [json.loads(line) for line in path.read_text().splitlines()]
        self.assertEqual(call["params"]["arguments"]["text"], "x" * 3000)
        self.assertEqual(reply["result"]["content"][0]["text"], "x" * 3000)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertTrue(all(len(line) < 400 for line in tap.lines_out()), "text output truncates bodies")
        refused = self.run_it("tap", "-o", path)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--force", refused.stderr)

    def test_redacts_secrets(self):
        servers = {"git": demo(env={"ANY": "in-the-environment"})}
        _, port = self.serve(servers)
        path = self.folder / "wire.jsonl"
        tap = self.tap("tool:echo", "--full", "-o", path, "--count", "4")
        client = Session(port)
        client.call("echo", text=f"it is {SECRET}, and in-the-environment too")
        client.request("tools/call", {"name": "echo", "arguments": {"text": "x", "password": "open-sesame"}})
        self.assertEqual(tap.end(), 0)
        for text in (tap.text(), path.read_text(), tap.printed(), self.run_it("ls", "--live", "--json").stdout):
            for secret in (SECRET, "in-the-environment", "open-sesame"):
                self.assertNotIn(secret, text)
        self.assertIn("[redacted]", tap.text())

    def test_Finding_T1_reads_all_output_of_a_finished_command(self):
        command = LateReader(self.folder / "out", "tap", "--control", self.folder / "none.sock", env=self.environment)
        self.addCleanup(self.end_command, command)
        self.assertEqual(command.end(), 3)
        self.assertIn("fairlead tap: ", command.printed())

    def test_stops_with_the_gateway(self):
        gateway, port = self.serve()
        tap = self.tap()
        Session(port).call("echo", text="hello")
        tap.wait_for_output("tools/call echo")
        gateway.stop()
        self.assertEqual(tap.end(), 1)
        self.assertIn("the gateway has stopped", tap.printed())

    def test_stops_after_its_time_limit(self):
        self.serve()
        tap = self.tap("--for", "200ms")
        self.assertEqual(tap.end(), 0)

    def test_a_slow_reader_does_not_delay_others(self):
        _, port = self.serve()
        client = Session(port)
        tap = self.tap("tool:echo", "--json")
        tap.process.send_signal(signal.SIGSTOP)
        large = "x" * 200_000
        for _ in range(80):
            self.assertEqual(client.call("echo", text=large), large)
        tap.process.send_signal(signal.SIGCONT)
        # The number of dropped messages comes with the next message that fits.
        last = time.monotonic() + TIMEOUT
        while "dropped" not in tap.printed() and time.monotonic() < last:
            client.call("echo", text="more")
            time.sleep(0.1)
        self.assertRegex(tap.printed(), r"\d+ messages were dropped")
        tap.wait_for_output(r'"text": ?"more"')

    def test_usage_errors_come_before_connecting(self):
        for words, expected in ((["search"], "tool:search"), (["tol:x"], "did you mean 'tool:'"),
                            (["--for", "soon"], "--for"), (["--count", "0"], "--count"),
                            (["--", "echo"], "takes no server command after --")):
            done = self.run_it("tap", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(expected, done.stderr)


class Live(ControlTest):
    def test_shows_a_killed_server_restarting_with_the_reason(self):
        _, port = self.serve()
        client = Session(port)
        client.call("echo", text="hello")
        watch = self.start_command("ls", "--watch")
        pid = int(watch.wait_for_output(r"git +ready +(\d+) +\w+ +\d{4}-\d\d-\d\d +stdio +0 ").group(1))
        os.kill(pid, signal.SIGKILL)
        watch.wait_for_output(r"git +gone .*the server was killed by signal 9 \(SIGKILL\)\n")
        client.call("echo", text="again")
        last = watch.wait_for_output(r"gone.*git +ready +(\d+) [^\n]*stdio +1 +\d+ [^\n]* ms +[\d.]+ ms")
        self.assertNotEqual(int(last.group(1)), pid)
        self.assertRegex(watch.lines_out()[0], rf"^fairlead [\d.]+, pid \d+, for .*: http://127.0.0.1:{port}/mcp$")

    def test_prints_json(self):
        gateway, port = self.serve({"git": demo(), "never": demo(disabled=True)})
        client = Session(port)
        client.call("echo", text="hello")
        client.request("tools/call", {"name": "fail", "arguments": {}})
        report = json.loads(self.run_it("ls", "--live", "--json").stdout)
        self.assertEqual(report["pid"], gateway.process.pid)
        git, = report["servers"]
        self.assertEqual((git["name"], git["state"], git["transport"], git["restarts"], git["inFlight"]),
                         ("git", "ready", "stdio", 0, 0))
        self.assertGreaterEqual(git["calls"], 2)
        self.assertEqual(git["errors"], 1)
        self.assertGreater(git["p99Ms"], 0)
        self.assertEqual(len(git["pids"]), 1)

    def test_shows_a_server_that_cannot_start(self):
        _, port = self.serve({"git": demo(), "bad": {"command": ["/no/such/program"]}})
        Session(port).tools()
        shown = self.run_it("ls", "--live").stdout
        self.assertRegex(shown, r"bad +failing +- .*no/such/program")

    def test_stops_with_the_gateway(self):
        gateway, _ = self.serve()
        watch = self.start_command("ls", "--watch")
        watch.wait_for_output("git +idle")
        gateway.stop()
        self.assertEqual(watch.end(), 1)
        self.assertIn("the gateway has stopped", watch.printed())


class Sockets(ControlTest):
    def test_sockets_are_private(self):
        gateway, _ = self.serve()
        self.assertEqual(stat.S_IMODE(self.sockets.stat().st_mode), 0o700)
        mode = self.socket_of(gateway).stat().st_mode
        self.assertTrue(stat.S_ISSOCK(mode))
        self.assertEqual(stat.S_IMODE(mode), 0o600)
        gateway.stop()
        self.assertEqual(list(self.sockets.iterdir()), [])

    def test_removes_the_socket_of_a_killed_gateway(self):
        killed, _ = self.serve()
        killed.process.kill()
        killed.process.wait()
        self.assertTrue(self.socket_of(killed).exists())
        done = self.run_it("tap")
        self.assertEqual(done.returncode, 3)
        self.assertIn("no gateway of this user is running", done.stderr)
        next_one, _ = self.serve()
        self.assertEqual(list(self.sockets.iterdir()), [self.socket_of(next_one)])
        self.assertEqual(self.run_it("ls", "--live").returncode, 0)

    def test_requires_a_choice_between_two_gateways(self):
        one, _ = self.serve()
        other, _ = self.serve({"files": demo()})
        done = self.run_it("ls", "--live")
        self.assertEqual(done.returncode, 2)
        for gateway in (one, other):
            self.assertIn(str(gateway.process.pid), done.stderr)
        self.assertRegex(self.run_it("ls", "--live", "--pid", other.process.pid).stdout, "files +idle")
        self.assertRegex(self.run_it("ls", "--live", "--pid", one.process.pid).stdout, "git +idle")
        self.assertEqual(self.run_it("ls", "--live", "--pid", "1").returncode, 3)

    def test_configuration_sets_the_path_or_disables_it(self):
        path = self.folder / "operator.sock"
        self.serve(control=str(path))
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertFalse(self.sockets.exists())
        self.assertRegex(self.run_it("ls", "--live", "--control", path).stdout, "git +idle")
        self.assertEqual(self.run_it("tap", "--control", self.folder / "none.sock").returncode, 3)
        self.serve(control="off")
        self.assertFalse(self.sockets.exists())

    def test_rejects_a_directory_of_another_user(self):
        self.sockets.mkdir(mode=0o755)
        os.chmod(self.sockets, 0o755)
        os.chmod(self.runtime, 0o700)
        elsewhere = self.folder / f"fairlead-{os.getuid()}"
        elsewhere.symlink_to(self.runtime)
        gateway, port = self.serve()
        self.assertRegex(gateway.printed(), "no control socket.*is not a folder of this user")
        self.assertEqual(Session(port).call("echo", text="still serves"), "still serves")
        self.assertEqual(list(self.sockets.iterdir()), [])
        elsewhere.unlink()
        gateway.stop()
        gateway, port = self.serve()
        self.assertTrue((elsewhere / f"{gateway.process.pid}.sock").exists())
        self.assertEqual(self.run_it("ls", "--live").returncode, 0)

    def test_a_stdio_gateway_has_a_control_socket(self):
        words = [PROGRAM, f"stdio | timeout(30s) | stdio:{PROGRAM} demo"]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment) as child:
            child.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            child.stdin.flush()
            child.stdout.readline()
            self.assertIn(", for ", self.run_it("ls", "--live").stdout)
            child.stdin.close()
            child.wait(TIMEOUT)
        self.assertEqual(list(self.sockets.iterdir()), [])


class Terminals(ControlTest):
    def on_terminal(self, *words, until, **env):
        """Runs a command on a terminal of 150 columns until its output matches. Returns the output."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(PROGRAM, [PROGRAM, *words], self.environment | {"TERM": "xterm", "COLUMNS": "150"} | env)
        drawn, last = b"", time.monotonic() + TIMEOUT
        while not re.search(until, drawn.decode(errors="ignore"), re.DOTALL) and time.monotonic() < last:
            if select.select([terminal], [], [], 0.1)[0]:
                drawn += os.read(terminal, 65536)
            elif self.meanwhile:
                self.meanwhile()
        os.kill(pid, signal.SIGINT)
        os.waitpid(pid, 0)
        os.close(terminal)
        return drawn.decode()

    meanwhile = None

    def test_tap_uses_colours_unless_disabled(self):
        _, port = self.serve()
        client = Session(port)
        self.meanwhile = lambda: client.call("echo", text="hello")
        self.assertIn("\x1b[32mok", self.on_terminal("tap", "tool:echo", until="ok"))
        self.assertNotIn("\x1b[", self.on_terminal("tap", "tool:echo", until="ok", NO_COLOR="1"))

    def test_watch_redraws_in_place(self):
        self.serve()
        drawn = self.on_terminal("ls", "--watch", until=r"\x1b\[H.*\x1b\[H.*\x1b\[J")
        self.assertEqual(drawn.count("\x1b[2J"), 0)
        self.assertRegex(drawn, r"git +\x1b\[2midle")


if __name__ == "__main__":
    run_tests()
