"""usage: bench_test.py <program>: `fairlead bench` on Fairlead servers. The number of calls is fixed; no time is checked."""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
TIMEOUT = 120


def bench(*words):
    return subprocess.run([PROGRAM, "bench", *words], capture_output=True, text=True, timeout=TIMEOUT)


class Bench(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = subprocess.Popen([PROGRAM, "demo", "--http", "127.0.0.1:0"], stdin=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, text=True)
        for line in cls.server.stderr:
            if found := re.search(r"http://(127\.0\.0\.1:\d+)/mcp", line):
                cls.url, cls.socket = found.group(), f"ws://{found.group(1)}/ws"
                return
        raise AssertionError("the server did not start")

    @classmethod
    def tearDownClass(cls):
        cls.server.kill()
        cls.server.wait()
        cls.server.stderr.close()

    def run_of(self, *words, calls=200):
        """Runs a benchmark whose calls all succeed, and returns its only run."""
        done = bench("--json", "--warm", "0", "--calls", str(calls), *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        [run] = json.loads(done.stdout)["runs"]
        self.assertEqual((run["calls"], run["failures"], run["stuck"]), (calls, 0, 0))
        return run

    def test_sessions(self):
        run = self.run_of("--connections", "8", self.url)
        self.assertEqual(run["connections"], 8)
        self.assertGreater(run["rss_loaded_mb"], 0)

    def test_without_sessions(self):
        self.run_of("--connections", "8", "--stateless", self.url)

    def test_a_large_result(self):
        run = self.run_of("--connections", "2", "--tool", "blob", "size=1000000", self.url, calls=10)
        self.assertGreater(run["megabytes_per_second"], 0)

    def test_progress_as_events(self):
        run = self.run_of("--connections", "4", "--tool", "progress", "steps=10", "--progress", "10", self.url, calls=50)
        self.assertGreater(run["events_per_second"], 0)

    def test_websocket(self):
        self.run_of("--connections", "4", "--in-flight", "4", self.socket)

    def test_stdio(self):
        self.run_of("--in-flight", "16", "--", PROGRAM, "demo")

    def test_custom_arguments(self):
        self.run_of("--connections", "1", "--tool", "echo", "text=number {id}", self.url)

    def test_several_runs_and_a_second_server(self):
        done = bench("--json", "--warm", "0", "--calls", "50", "--connections", "1,3", "--against", self.url, self.url)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual([run["connections"] for run in document["runs"]], [1, 3])
        self.assertEqual([each["connections"] for each in document["comparison"]], [1, 3])

    def test_prints_a_table(self):
        done = bench("--warm", "0", "--calls", "20", "--connections", "1", self.url)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"connections +in flight +calls/s +p50 us")

    def test_idle_streams(self):
        done = bench("--json", "--idle", "20", "--hold", "0", self.url)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["streams"], 20)

    def test_starts(self):
        done = bench("--json", "--starts", "2", "--", PROGRAM, "demo")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["starts"], 2)

    def test_usage_errors_name_the_option(self):
        for words, code, why in (
                ([], 2, "no server given"),
                (["--connections", "0", self.url], 2, "--connections '0'"),
                (["--seconds", "soon", self.url], 2, "--seconds 'soon'"),
                (["--tool", "ecko", self.url], 2, "did you mean 'echo'"),
                (["--tool", "blob", "size=many", self.url], 2, "expected integer"),
                (["--idle", "5", "--", PROGRAM, "demo"], 2, "--idle needs"),
                (["http://127.0.0.1:1/mcp"], 3, "cannot connect")):
            done = bench(*words)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(why, done.stderr)

    def test_tool_errors_count_as_failures(self):
        done = bench("--warm", "0", "--calls", "3", "--connections", "1", "--tool", "blob", "size=-1", self.url)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the tool failed", done.stderr)

    def test_ctrl_c_prints_partial_results(self):
        running = subprocess.Popen([PROGRAM, "bench", "--json", "--hold", "600", "--idle", "3", self.url],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        # The signal handler is installed before the first stream is opened.
        while not self.connections(running.pid):
            self.assertIsNone(running.poll())
        running.send_signal(signal.SIGINT)
        printed, _ = running.communicate(timeout=TIMEOUT)
        self.assertLessEqual(json.loads(printed)["streams"], 3)
        self.assertEqual(running.returncode, 0)

    def test_ctrl_c_works_while_the_server_is_silent(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"
            running = subprocess.Popen([PROGRAM, "bench", "--json", "--idle", "3", url], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            with silent.accept()[0] as connection:
                connection.recv(1)
                running.send_signal(signal.SIGINT)
                printed, _ = running.communicate(timeout=TIMEOUT)
            self.assertEqual(json.loads(printed)["streams"], 0)
            self.assertEqual(running.returncode, 0)

    def test_ctrl_c_works_before_the_first_result(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}/mcp"
            running = subprocess.Popen([PROGRAM, "bench", url], stdin=subprocess.DEVNULL)
            with silent.accept()[0] as connection:
                connection.recv(1)
                running.send_signal(signal.SIGINT)
                self.assertEqual(running.wait(timeout=TIMEOUT), -signal.SIGINT)

    @staticmethod
    def connections(process):
        try:
            links = [os.readlink(f"/proc/{process}/fd/{name}") for name in os.listdir(f"/proc/{process}/fd")]
        except OSError:
            return []
        return [link for link in links if link.startswith("socket:")]


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
