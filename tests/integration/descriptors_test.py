"""usage: descriptors_test.py <program>: a gateway with a low limit on file descriptors."""
import os
import select
import socket
import subprocess
import sys
import time

from gateway_process import TIMEOUT, PROGRAM, Program, Running, Session, run_tests

DESCRIPTORS = 64
HELD = 3 * DESCRIPTORS


class Limited(Running):
    """A gateway that may have at most DESCRIPTORS file descriptors."""

    def __init__(self, *words, env):
        shell = f'ulimit -n {DESCRIPTORS} && exec "$0" "$@"'
        self.process = subprocess.Popen(["sh", "-c", shell, PROGRAM, *words], stdin=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True, env=env)
        self.follow()


class Descriptors(Program):
    def start_limited(self, *words):
        gateway = Limited(*words, env=self.environment)
        self.addCleanup(gateway.stop)
        return gateway, int(gateway.wait_for(r"http://127\.0\.0\.1:(\d+)").group(1))

    def hold(self, port, request):
        """Opens HELD connections, each of which sends `request` first, and keeps them open."""
        held = []
        for _ in range(HELD):
            connection = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
            self.addCleanup(connection.close)
            held.append(connection)
            if request:
                connection.sendall(request % port)
                self.assertIn(b" 200 ", connection.recv(4096))
        return held

    def closed(self, held, count):
        """Waits until the gateway has closed `count` of the connections. Returns how many it closed."""
        for connection in held:
            connection.setblocking(False)
        gone, deadline = set(), time.monotonic() + TIMEOUT
        while len(gone) < count and time.monotonic() < deadline:
            for each in select.select([each for each in held if each not in gone], [], [], TIMEOUT)[0]:
                try:
                    if not each.recv(4096):
                        gone.add(each)
                except ConnectionResetError:
                    gone.add(each)
        return len(gone)

    def call_echo(self, port):
        try:
            return Session(port).call("echo", text="hi")
        except (KeyError, OSError) as error:
            return error

    def test_Finding_S23_idle_connections_do_not_block_new_clients(self):
        for words in (["demo", "--http", "127.0.0.1:0"], ["--port", "0", "--", PROGRAM, "demo"]):
            for request in (None, b"GET /healthz HTTP/1.1\r\nHost: localhost:%d\r\n\r\n"):
                with self.subTest(words=words, request=request):
                    gateway, port = self.start_limited(*words)
                    held = self.hold(port, request)
                    self.assertEqual(self.call_echo(port), "hi")
                    # The gateway accepts in order, so it accepted all held connections before the client, and closed
                    # those for which it had no descriptor left.
                    self.assertGreaterEqual(self.closed(held, HELD - DESCRIPTORS), HELD - DESCRIPTORS)
                    self.assertLessEqual(len(os.listdir(f"/proc/{gateway.process.pid}/fd")), DESCRIPTORS)
                    # The client did not have to wait for the idle timeout of the connections.
                    self.assertNotIn("cannot accept", gateway.printed())


if __name__ == "__main__":
    run_tests()
