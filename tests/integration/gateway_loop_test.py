"""usage: gateway_loop_test.py <program>: gateways that are configured as each other's servers."""
import pathlib
import signal
import time

from gateway_process import PROGRAM, Program, Session, demo, run_tests


def descendants(pid):
    """All child processes of a process, recursively."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            child = int(path.parent.name)
            found += [child, *descendants(child)]
    return found


class GatewayLoops(Program):
    def gateway(self, name, servers):
        path = self.write(name, {"listen": {"port": 0}, "list_timeout": "20s", "servers": servers})
        return self.start("serve", "-c", path, "--debug")

    def change(self, gateway, name, servers):
        self.write(name, {"listen": {"port": 0}, "list_timeout": "20s", "servers": servers})
        gateway.process.send_signal(signal.SIGHUP)
        gateway.wait_for("configuration reloaded: ")

    def own(self, name):
        return demo(prefix=name, chain=["allow(echo)"])

    def requests(self, *gateways):
        """The number of requests in the logs."""
        return sum(len(gateway.printed().splitlines()) for gateway in gateways)

    def wait_until_quiet(self, *gateways):
        """Waits for three seconds with few requests. On a busy machine, the requests of earlier clients end late; those
        of a loop never do."""
        deadline = time.monotonic() + 60
        while True:
            before = self.requests(*gateways)
            time.sleep(3)
            requests = self.requests(*gateways) - before
            if requests < 100:
                return
            self.assertLess(time.monotonic(), deadline, f"{requests} requests in three seconds without a client")

    def test_attack_two_gateways_that_only_have_each_other_report_it(self):
        one = self.gateway("one.json", {"a": demo()})
        two = self.gateway("two.json", {"one": {"url": f"http://127.0.0.1:{one.port()}/mcp"}})
        self.change(one, "one.json", {"two": {"url": f"http://127.0.0.1:{two.port()}/mcp"}})
        for gateway in (one, two):
            url = f"http://127.0.0.1:{gateway.port()}/mcp"
            for words in (["list", url], ["call", "echo", "text=hi", url]):
                done = self.run_it(*words)
                self.assertNotEqual(done.returncode, 0, words)
                self.assertRegex(done.stderr, r"508.*loop detected.*remove one of them", words)

    def test_attack_lists_of_mutually_configured_gateways_do_not_grow(self):
        one = self.gateway("one.json", {"a": self.own("a")})
        two = self.gateway("two.json", {"b": self.own("b"), "one": {"url": f"http://127.0.0.1:{one.port()}/mcp",
                                                                    "prefix": "one"}})
        self.change(one, "one.json", {"a": self.own("a"), "two": {"url": f"http://127.0.0.1:{two.port()}/mcp",
                                                                  "prefix": "two"}})
        for _ in range(3):
            session = Session(one.port())
            self.assertEqual(session.tools(), {"a__echo", "two__echo"})
            self.assertEqual(session.call("two__echo", text="hi"), "hi")
            self.assertEqual(Session(two.port()).tools(), {"b__echo", "one__echo"})
        self.wait_until_quiet(one, two)

    def test_attack_a_child_gateway_that_leads_back_is_skipped(self):
        one = self.gateway("one.json", {"a": self.own("a")})
        back = f"http://127.0.0.1:{one.port()}/mcp"
        inner = self.write("inner.json", {"listen": "stdio", "servers": {"back": {"url": back}}})
        for command in ([PROGRAM, "serve", "-c", str(inner)], [PROGRAM, "connect", back]):
            self.change(one, "one.json", {"a": self.own("a"), "child": {"command": command, "prefix": command[1]}})
            self.assertEqual(Session(one.port()).tools(), {"echo"}, command)
            done = self.run_it("list", f"http://127.0.0.1:{one.port()}/s/child/mcp")
            self.assertNotEqual(done.returncode, 0, command)
            self.assertRegex(done.stderr, "508", command)
            self.assertLess(len(descendants(one.process.pid)), 10, command)

    def test_attack_a_configuration_cannot_start_itself_recursively(self):
        path = self.folder / "self.json"
        servers = {"a": self.own("a"), "self": {"command": [PROGRAM, "serve", "-c", str(path)], "prefix": "self"},
                   "twin": {"command": [PROGRAM, "serve", "-c", str(path)], "prefix": "twin"}}
        self.write("self.json", {"listen": "stdio", "servers": servers})
        outer = self.gateway("outer.json", {"inner": {"command": [PROGRAM, "serve", "-c", str(path)]}})
        self.assertEqual(Session(outer.port()).tools(), {"echo"})
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            self.assertLess(len(descendants(outer.process.pid)), 12, "processes that start each other")
            time.sleep(0.2)
        done = self.run_it("serve", "-c", path)
        self.assertEqual(done.returncode, 0, "stdin is closed, so it exits")
        self.assertIn("remove the gateway from its own configuration", done.stderr + outer.printed())


if __name__ == "__main__":
    run_tests()
