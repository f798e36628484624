"""usage: control_test.py <program>: what its operator sees of a gateway that runs: fairlead tap, fairlead ls --watch."""
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

from gateway_process import PATIENCE, PROGRAM, Program, Running, Session, demo, run_tests

SECRET = "hunter2-very-secret"


class Caller(Session):
    """One who says who he is."""

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
    """A command that runs beside the gateway; stdout is a file."""

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
        last = time.monotonic() + PATIENCE
        while time.monotonic() < last:
            if found := re.search(pattern, self.text(), re.DOTALL):
                return found
            time.sleep(0.05)
        raise AssertionError(f"never printed {pattern}: {self.text()} {self.said()}")

    def end(self):
        return self.wait()


class LateReader(Command):
    """One whose last words are read late, as happens on a machine that has other things to do."""

    def listen(self):
        self.process.wait(PATIENCE)
        time.sleep(0.2)
        super().listen()


class Operated(Program):
    def setUp(self):
        super().setUp()
        self.runtime = self.folder / "run"
        self.runtime.mkdir(mode=0o700)
        self.environment |= {"XDG_RUNTIME_DIR": str(self.runtime), "TMPDIR": str(self.folder), "GIT_TOKEN": SECRET}
        self.environment.pop("NO_COLOR", None)
        self.sockets = self.runtime / "fairlead"

    def serve(self, servers=None, **more):
        """A gateway, and its port."""
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
        """One that listens already."""
        command = self.start_command("tap", *words)
        command.wait_for(r"listening to gateway \d+")
        return command

    def socket_of(self, gateway):
        return self.sockets / f"{gateway.process.pid}.sock"


class Taps(Operated):
    def test_a_filter_shows_exactly_the_calls_of_one_of_two_clients(self):
        keys = {name: hashlib.sha256(key.encode()).hexdigest() for name, key in
                (("alice", "alices-key"), ("bob", "bobs-key"))}
        _, port = self.serve(listen={"port": 0, "keys": keys})
        alice, bob = Caller(port, "alices-key"), Caller(port, "bobs-key")
        tap = self.tap("--json", "caller:alice", "tool:echo", "-kind:notice", "--count", "2")
        bob.call("echo", text="of bob")
        alice.call("greet", name="of alice")
        alice.call("echo", text="of alice")
        self.assertEqual(tap.end(), 0, tap.said())
        call, reply = map(json.loads, tap.lines_out())
        self.assertEqual((call["kind"], call["from"], call["caller"], call["tool"], call["server"]),
                         ("call", "client", "alice", "echo", "git"))
        self.assertEqual(call["params"]["arguments"], {"text": "of alice"})
        self.assertEqual((reply["kind"], reply["from"], reply["status"], reply["method"]),
                         ("reply", "server", "ok", "tools/call"))
        self.assertEqual(reply["result"]["content"][0]["text"], "of alice")
        self.assertGreater(reply["ms"], 0)
        self.assertEqual((call["conversation"], call["call"], call["id"]),
                         (reply["conversation"], reply["call"], reply["id"]))

    def test_all_is_shown_without_a_filter(self):
        _, port = self.serve()
        tap = self.tap("kind:*")
        Session(port).call("echo", text="hello")
        tap.wait_for_output(r"← [^\n]*tools/call echo")
        lines = tap.lines_out()
        for pattern in (r"^\d\d:\d\d:\d\d\.\d{3} → #\d+ +\(comes\)$", r"→ #\d+ .*initialize", r"← #\d+ test .*initialize .*ok ",
                        r"→ #\d+ test .*notifications/initialized",
                        r'→ #\d+ test +tools/call echo @git +id=1 .* B +\{"text": ?"hello"\}$',
                        r'← #\d+ test +tools/call echo @git +id=1 +ok +[\d.]+ ms +\d+ B +\{.*"hello"'):
            self.assertTrue(any(re.search(pattern, line) for line in lines), (pattern, lines))
        self.assertNotIn("\x1b", tap.text())

    def test_whoever_looks_for_errors_sees_the_calls_that_failed(self):
        _, port = self.serve()
        tap = self.tap("status:error", "method:tools/call", "--count", "4")
        client = Session(port)
        client.call("echo", text="fine")
        client.ask("tools/call", {"name": "test_error_handling", "arguments": {}})
        client.ask("tools/call", {"name": "there_is_none", "arguments": {}})
        self.assertEqual(tap.end(), 0)
        lines = tap.lines_out()
        self.assertRegex(lines[0], "→ .*test_error_handling")
        self.assertRegex(lines[1], "← .*test_error_handling.* tool_error ")
        self.assertRegex(lines[2], "→ .*there_is_none")
        self.assertRegex(lines[3], "← .*there_is_none.* error .*-32602")

    def test_an_export_is_json_lines_that_only_its_owner_reads(self):
        _, port = self.serve()
        path = self.folder / "wire.jsonl"
        tap = self.tap("tool:echo", "-o", path, "--count", "2")
        Session(port).call("echo", text="x" * 3000)
        self.assertEqual(tap.end(), 0)
        call, reply = [json.loads(line) for line in path.read_text().splitlines()]
        self.assertEqual(call["params"]["arguments"]["text"], "x" * 3000)
        self.assertEqual(reply["result"]["content"][0]["text"], "x" * 3000)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertTrue(all(len(line) < 400 for line in tap.lines_out()), "bodies are cut for people")
        refused = self.run_it("tap", "-o", path)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--force", refused.stderr)

    def test_secrets_do_not_show(self):
        servers = {"git": demo(env={"ANY": "in-the-environment"})}
        _, port = self.serve(servers)
        path = self.folder / "wire.jsonl"
        tap = self.tap("tool:echo", "--full", "-o", path, "--count", "4")
        client = Session(port)
        client.call("echo", text=f"it is {SECRET}, and in-the-environment too")
        client.ask("tools/call", {"name": "echo", "arguments": {"text": "x", "password": "open-sesame"}})
        self.assertEqual(tap.end(), 0)
        for text in (tap.text(), path.read_text(), tap.said(), self.run_it("ls", "--live", "--json").stdout):
            for secret in (SECRET, "in-the-environment", "open-sesame"):
                self.assertNotIn(secret, text)
        self.assertIn("[redacted]", tap.text())

    def test_Finding_T1_a_command_that_has_ended_is_read_to_its_end(self):
        command = LateReader(self.folder / "out", "tap", "--control", self.folder / "none.sock", env=self.environment)
        self.addCleanup(self.end_command, command)
        self.assertEqual(command.end(), 3)
        self.assertIn("fairlead tap: ", command.said())

    def test_it_ends_with_the_gateway(self):
        gateway, port = self.serve()
        tap = self.tap()
        Session(port).call("echo", text="hello")
        tap.wait_for_output("tools/call echo")
        gateway.stop()
        self.assertEqual(tap.end(), 1)
        self.assertIn("the gateway has ended", tap.said())

    def test_it_ends_when_its_time_is_over(self):
        self.serve()
        tap = self.tap("--for", "200ms")
        self.assertEqual(tap.end(), 0)

    def test_whoever_does_not_read_delays_nobody(self):
        _, port = self.serve()
        client = Session(port)
        tap = self.tap("tool:echo", "--json")
        tap.process.send_signal(signal.SIGSTOP)
        large = "x" * 200_000
        for _ in range(80):
            self.assertEqual(client.call("echo", text=large), large)
        tap.process.send_signal(signal.SIGCONT)
        # What there was no room for is told with the next that finds some.
        last = time.monotonic() + PATIENCE
        while "left out" not in tap.said() and time.monotonic() < last:
            client.call("echo", text="more")
            time.sleep(0.1)
        self.assertRegex(tap.said(), r"\d+ messages were left out")
        tap.wait_for_output(r'"text": ?"more"')

    def test_mistakes_are_told_before_anybody_is_asked(self):
        for words, told in ((["search"], "tool:search"), (["tol:x"], "did you mean 'tool:'"),
                            (["--for", "soon"], "--for"), (["--count", "0"], "--count"),
                            (["--", "echo"], "nothing follows --")):
            done = self.run_it("tap", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(told, done.stderr)


class Live(Operated):
    def test_a_server_that_was_killed_comes_back_and_tells_why(self):
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

    def test_it_is_told_as_json_too(self):
        gateway, port = self.serve({"git": demo(), "never": demo(disabled=True)})
        client = Session(port)
        client.call("echo", text="hello")
        client.ask("tools/call", {"name": "test_error_handling", "arguments": {}})
        report = json.loads(self.run_it("ls", "--live", "--json").stdout)
        self.assertEqual(report["pid"], gateway.process.pid)
        git, = report["servers"]
        self.assertEqual((git["name"], git["state"], git["transport"], git["restarts"], git["inFlight"]),
                         ("git", "ready", "stdio", 0, 0))
        self.assertGreaterEqual(git["calls"], 2)
        self.assertEqual(git["errors"], 1)
        self.assertGreater(git["p99Ms"], 0)
        self.assertEqual(len(git["pids"]), 1)

    def test_a_server_that_cannot_be_started_says_so(self):
        _, port = self.serve({"git": demo(), "bad": {"command": ["/no/such/program"]}})
        Session(port).tools()
        shown = self.run_it("ls", "--live").stdout
        self.assertRegex(shown, r"bad +failing +- .*no/such/program")

    def test_it_ends_with_the_gateway(self):
        gateway, _ = self.serve()
        watch = self.start_command("ls", "--watch")
        watch.wait_for_output("git +idle")
        gateway.stop()
        self.assertEqual(watch.end(), 1)
        self.assertIn("the gateway has ended", watch.said())


class Sockets(Operated):
    def test_only_their_owner_gets_in(self):
        gateway, _ = self.serve()
        self.assertEqual(stat.S_IMODE(self.sockets.stat().st_mode), 0o700)
        mode = self.socket_of(gateway).stat().st_mode
        self.assertTrue(stat.S_ISSOCK(mode))
        self.assertEqual(stat.S_IMODE(mode), 0o600)
        gateway.stop()
        self.assertEqual(list(self.sockets.iterdir()), [])

    def test_what_a_killed_gateway_leaves_behind_is_no_gateway_and_goes(self):
        killed, _ = self.serve()
        killed.process.kill()
        killed.process.wait()
        self.assertTrue(self.socket_of(killed).exists())
        done = self.run_it("tap")
        self.assertEqual(done.returncode, 3)
        self.assertIn("no gateway of yours runs here", done.stderr)
        next_one, _ = self.serve()
        self.assertEqual(list(self.sockets.iterdir()), [self.socket_of(next_one)])
        self.assertEqual(self.run_it("ls", "--live").returncode, 0)

    def test_one_of_two_gateways_has_to_be_chosen(self):
        one, _ = self.serve()
        other, _ = self.serve({"files": demo()})
        done = self.run_it("ls", "--live")
        self.assertEqual(done.returncode, 2)
        for gateway in (one, other):
            self.assertIn(str(gateway.process.pid), done.stderr)
        self.assertRegex(self.run_it("ls", "--live", "--pid", other.process.pid).stdout, "files +idle")
        self.assertRegex(self.run_it("ls", "--live", "--pid", one.process.pid).stdout, "git +idle")
        self.assertEqual(self.run_it("ls", "--live", "--pid", "1").returncode, 3)

    def test_a_configuration_can_name_a_path_or_want_none(self):
        path = self.folder / "operator.sock"
        self.serve(control=str(path))
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertFalse(self.sockets.exists())
        self.assertRegex(self.run_it("ls", "--live", "--control", path).stdout, "git +idle")
        self.assertEqual(self.run_it("tap", "--control", self.folder / "none.sock").returncode, 3)
        self.serve(control="off")
        self.assertFalse(self.sockets.exists())

    def test_a_folder_of_others_is_not_used(self):
        self.sockets.mkdir(mode=0o755)
        os.chmod(self.sockets, 0o755)
        os.chmod(self.runtime, 0o700)
        elsewhere = self.folder / f"fairlead-{os.getuid()}"
        elsewhere.symlink_to(self.runtime)
        gateway, port = self.serve()
        self.assertRegex(gateway.said(), "no control socket.*is no folder of yours")
        self.assertEqual(Session(port).call("echo", text="it serves all the same"), "it serves all the same")
        self.assertEqual(list(self.sockets.iterdir()), [])
        elsewhere.unlink()
        gateway.stop()
        gateway, port = self.serve()
        self.assertTrue((elsewhere / f"{gateway.process.pid}.sock").exists())
        self.assertEqual(self.run_it("ls", "--live").returncode, 0)

    def test_a_server_on_stdio_has_one_too(self):
        words = [PROGRAM, f"stdio | timeout(30s) | stdio:{PROGRAM} demo"]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment) as child:
            child.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            child.stdin.flush()
            child.stdout.readline()
            self.assertIn(", for ", self.run_it("ls", "--live").stdout)
            child.stdin.close()
            child.wait(PATIENCE)
        self.assertEqual(list(self.sockets.iterdir()), [])


class Terminals(Operated):
    def on_terminal(self, *words, until, **env):
        """What a command draws on a terminal of 150 columns, until it has drawn that."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(PROGRAM, [PROGRAM, *words], self.environment | {"TERM": "xterm", "COLUMNS": "150"} | env)
        drawn, last = b"", time.monotonic() + PATIENCE
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

    def test_a_tap_is_coloured_unless_nobody_wants_it(self):
        _, port = self.serve()
        client = Session(port)
        self.meanwhile = lambda: client.call("echo", text="hello")
        self.assertIn("\x1b[32mok", self.on_terminal("tap", "tool:echo", until="ok"))
        self.assertNotIn("\x1b[", self.on_terminal("tap", "tool:echo", until="ok", NO_COLOR="1"))

    def test_a_watch_draws_over_what_it_has_drawn(self):
        self.serve()
        drawn = self.on_terminal("ls", "--watch", until=r"\x1b\[H.*\x1b\[H.*\x1b\[J")
        self.assertEqual(drawn.count("\x1b[2J"), 0)
        self.assertRegex(drawn, r"git +\x1b\[2midle")


if __name__ == "__main__":
    run_tests()
