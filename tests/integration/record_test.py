"""usage: record_test.py <program>: `fairlead record` and `fairlead replay`."""
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
TIMEOUT = 120
SECRET = "hunter2-very-secret"


class Recordings(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = self.folder / "s.mcpl"
        kept = {name: value for name, value in os.environ.items() if name not in ("DEBUG", "FAIRLEAD_DEBUG")}
        self.environment = kept | {"HOME": str(self.folder), "MY_API_TOKEN": SECRET}

    def run_it(self, *words, code=0):
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=TIMEOUT,
                              stdin=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout}{done.stderr}")
        return done

    def call(self, *words, server, code=0):
        return self.run_it("call", *words, "--", *server, code=code).stdout

    def listening(self, *words):
        process = subprocess.Popen([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True, env=self.environment)

        def stop():
            process.terminate()
            process.wait(TIMEOUT)
            process.stderr.close()
        self.addCleanup(lambda: process.poll() is None and stop())
        for line in process.stderr:
            if found := re.search(r"serving .* on (http://\S+)", line):
                threading.Thread(target=lambda: [None for _ in process.stderr], daemon=True).start()
                return found.group(1), stop
        self.fail("it did not start")

    def record(self, *words, era="auto"):
        return self.call(*words, "--era", era, server=[PROGRAM, "record", "-o", self.file, "--force", "--stdio", "--",
                                                       PROGRAM, "demo"])

    def lines(self):
        return [json.loads(line) for line in self.file.read_text().splitlines()]

    def test_a_session_on_stdin_and_stdout_replays_as_server_and_as_client(self):
        for era in ("handshake", "stateless"):
            with self.subTest(era):
                printed = self.record("echo", "text=hello", era=era)
                self.assertIn("hello", printed)
                double = [PROGRAM, "replay", self.file, "--as-server"]
                self.assertEqual(self.call("echo", "text=hello", "--era", era, server=double), printed)
                done = self.run_it("replay", self.file, "--as-client", "--", PROGRAM, "demo")
                self.assertRegex(done.stdout, r"^\d+ calls, \d+ server messages compared, 0 differences\n$")

    def test_a_replayed_server_rejects_unrecorded_requests(self):
        self.record("echo", "text=hello")
        double = [PROGRAM, "replay", self.file, "--as-server"]
        done = self.run_it("call", "echo", "text=goodbye", "--", *double, code=1)
        self.assertIn("s.mcpl:", done.stderr)
        self.assertIn('"goodbye" instead of "hello"', done.stderr)

    def test_reports_a_different_response_with_its_line(self):
        self.record("echo", "text=hello")
        text = self.file.read_text().splitlines()
        at = max(i for i, line in enumerate(text) if '"kind":"reply"' in line)
        text[at] = text[at].replace("hello", "hallo")
        self.file.write_text("\n".join(text) + "\n")
        done = self.run_it("replay", self.file, "--as-client", "--", PROGRAM, "demo", code=1)
        self.assertIn(f"s.mcpl:{at + 1}: the reply to tools/call 'echo'", done.stdout)
        self.assertIn('"hello" instead of "hallo"', done.stdout)

    def test_records_server_requests_and_progress(self):
        words = ("ask_user", "--answer", "name=Ada", "--answer", "colour=red")
        for era in ("handshake", "stateless"):
            with self.subTest(era):
                printed = self.record(*words, era=era)
                self.assertIn("Ada likes red", printed)
                kinds = {line.get("kind") for line in self.lines()}
                double = [PROGRAM, "replay", self.file, "--as-server"]
                self.assertEqual(self.call(*words, "--era", era, server=double), printed)
                self.run_it("replay", self.file, "--as-client", "--", PROGRAM, "demo")
                if era == "handshake":
                    self.assertLessEqual({"call", "reply", "server_call", "server_reply"}, kinds)

    def test_a_session_over_http_replays_over_http(self):
        url, stop = self.listening("record", "-o", self.file, "--port", "0", "--", PROGRAM, "demo")
        printed = self.run_it("call", "progress", "steps=3", url).stdout
        stop()
        url, stop = self.listening("replay", self.file, "--as-server", "--port", "0")
        self.assertEqual(self.run_it("call", "progress", "steps=3", url).stdout, printed)
        stop()
        url, stop = self.listening("--port", "0", "--", PROGRAM, "demo")
        self.run_it("replay", self.file, "--as-client", url)

    def test_the_file_is_private_and_has_no_secrets(self):
        self.call("echo", f"text=it is {SECRET}", server=[PROGRAM, "record", "-o", self.file, "--stdio", "-e",
                                                          "MINE=another-secret", "--", PROGRAM, "demo"])
        self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)
        self.assertNotIn(SECRET, self.file.read_text())
        self.assertIn("it is [redacted]", self.file.read_text())
        head = self.lines()[0]
        self.assertEqual(head["mcpl"], 2)

    def test_records_both_hops_and_replays_the_client_side(self):
        pipe = f"stdio | rename(echo=say) | stdio:{PROGRAM} demo"
        self.call("say", "text=hello", server=[PROGRAM, "record", "-o", self.file, pipe])
        head, *lines = self.lines()
        self.assertEqual(head["hop"], "front")
        called = {(line["hop"] == "front", line["params"]["name"]) for line in lines
                  if line["kind"] == "call" and line["method"] == "tools/call"}
        self.assertEqual(called, {(True, "say"), (False, "echo")})
        printed = self.run_it("replay", self.file, "--as-client", "--", PROGRAM, pipe).stdout
        self.assertIn("0 differences", printed)

    def test_does_not_overwrite_a_file(self):
        self.file.write_text("precious")
        done = self.run_it("record", "-o", self.file, "--port", "0", "--", PROGRAM, "demo", code=1)
        self.assertIn("--force", done.stderr)
        self.assertEqual(self.file.read_text(), "precious")

    def test_invalid_recordings_are_reported_with_the_line(self):
        self.record("echo", "text=hello")
        whole = self.file.read_text()
        self.file.write_text(whole[:-20])
        number = whole.count("\n")
        for words in (["--as-client", "--", PROGRAM, "demo"], ["--as-server"]):
            done = subprocess.run([PROGRAM, "replay", str(self.file), *words], capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=TIMEOUT, env=self.environment)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"s.mcpl:{number}: the file ends in the middle", done.stderr)

    def test_injects_faults(self):
        self.record("echo", "text=hello")
        faulty = [PROGRAM, "replay", self.file, "--as-server", "--fault", "error=1,seed=7"]
        self.assertIn("503", self.run_it("call", "echo", "text=hello", "--", *faulty, code=1).stderr)
        done = self.run_it("replay", self.file, "--as-client", "--fault", "error=1,delay=1ms", "--", PROGRAM, "demo",
                           code=1)
        self.assertIn("503", done.stdout)

    def test_usage_errors_say_what_to_change(self):
        for words in (["record", "--", PROGRAM, "demo"], ["record", "-o", self.file], ["replay", self.file],
                      ["replay", self.file, "--as-client"], ["replay", self.file, "--as-server", "--speed", "fast"],
                      ["replay", self.file, "--as-server", "--strict", "--lenient"],
                      ["replay", self.file, "--as-server", "--fault", "drop"]):
            self.assertIn("see fairlead", self.run_it(*words, code=2).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
