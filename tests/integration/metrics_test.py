"""usage: metrics_test.py <program>: /metrics and the call log of a running gateway."""
import hashlib
import http.client
import json
import pathlib
import re
import shutil
import subprocess
import time

from gateway_process import TIMEOUT, Program, Session, demo, run_tests

# ./dev test puts promtool there.
UNPACKED = pathlib.Path(__file__).resolve().parents[2] / "build/tools/promtool"
PROMTOOL = shutil.which("promtool") or shutil.which(str(UNPACKED))
SECRET = "hunter2-very-secret"


def get(port, path="/metrics", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def samples(text):
    """Maps names with labels, sorted by name, to values."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, labels, value = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line).groups()
            pairs = sorted(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels or ""))
            found[(name, *pairs)] = float(value)
    return found


def sample(text, name, **labels):
    """The sum of all samples with these labels."""
    return sum(value for key, value in samples(text).items()
               if key[0] == name and set(labels.items()) <= set(key[1:]))


class Metrics(Program):
    def settings(self, **more):
        dead = {"command": ["/nonexistent/server"], "restart": {"max_failures": 1}}
        chain = ["cache(60s, tool=attach_files)", "limit(1000/s)", "breaker(5)", "retry(1, delay=1ms)"]
        return {"listen": {"port": 0}, "chain": chain, "servers": {"good": demo(), "dead": dead}} | more

    def serve(self, **more):
        gateway = self.start("serve", "-c", self.write("metrics.json", self.settings(**more)))
        return gateway, gateway.port()

    def make_calls(self, port):
        """Calls that succeed, calls that fail in each way, and unknown names that contain secrets."""
        session = Session(port)
        session.tools()
        for _ in range(3):
            session.call("echo", text="hi", password=SECRET)
        self.assertTrue(session.request("tools/call", {"name": "fail"})["result"]["isError"])
        for number in range(20):
            self.assertIn("error", session.request("tools/call", {"name": f"{SECRET}-{number}"}))
            self.assertIn("error", session.request(f"{SECRET}/{number}"))
        for _ in range(2):
            session.call("attach_files")
        self.assertIn("error", Session(port, "/s/good/mcp").request("tools/call", {"name": f"{SECRET}\"\n}} 1"}))
        try:
            dead = Session(port, "/s/dead/mcp")
            dead.request("tools/call", {"name": "any"})
        except KeyError:
            pass
        return session

    def check(self, text):
        if not PROMTOOL:
            self.skipTest("promtool is not there: ./dev test unpacks it from Debian's prometheus")
        done = subprocess.run([PROMTOOL, "check", "metrics"], input=text, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_prometheus_understands_every_line(self):
        _, port = self.serve()
        self.make_calls(port)
        answer, text = get(port)
        self.assertEqual((answer.status, answer.getheader("Content-Type")),
                         (200, "text/plain; version=0.0.4; charset=utf-8"))
        self.check(text)

    def test_counts_calls_and_errors_per_hop(self):
        _, port = self.serve()
        self.make_calls(port)
        text = get(port)[1]
        for hop in ("front", "server"):
            self.assertEqual(sample(text, "fairlead_calls_total", hop=hop, server="good", tool="echo"), 3, text)
            self.assertEqual(sample(text, "fairlead_call_duration_seconds_count", hop=hop, tool="echo"), 3)
            self.assertEqual(sample(text, "fairlead_errors_total", hop=hop, tool="fail", plane="tool"), 1)
        self.assertEqual(sample(text, "fairlead_errors_total", hop="front", tool="other", plane="protocol"), 21, text)
        self.assertEqual(sample(text, "fairlead_calls_total", hop="front", method="other"), 20)
        self.assertGreater(sample(text, "fairlead_server_failures_total", server="dead"), 0)
        self.assertGreater(sample(text, "fairlead_call_duration_seconds_sum", tool="echo"), 0)
        self.assertEqual(sample(text, "fairlead_cache_hits_total"), 1, text)
        self.assertEqual(sample(text, "fairlead_child_processes", server="good"), 1)
        self.assertEqual(sample(text, "fairlead_server_starts_total", server="good"), 1)
        self.assertNotIn(SECRET, text)

    def test_counts_open_sessions_and_streams(self):
        _, port = self.serve()
        session = Session(port)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        connection.request("GET", "/mcp", headers={"Accept": "text/event-stream"} | session.headers)
        answer = connection.getresponse()
        self.assertEqual(answer.status, 200)
        text = get(port)[1]
        self.assertEqual(sample(text, "fairlead_sessions", endpoint="/"), 1, text)
        self.assertEqual(sample(text, "fairlead_streams", kind="get"), 1, text)
        answer.close()
        connection.close()
        self.until(lambda: sample(get(port)[1], "fairlead_streams", kind="get") == 0)
        ending = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        ending.request("DELETE", "/mcp", headers=session.headers)
        ending.getresponse().read()
        ending.close()
        self.until(lambda: sample(get(port)[1], "fairlead_sessions", endpoint="/") == 0)

    def until(self, condition):
        last = time.monotonic() + TIMEOUT
        while not condition():
            self.assertLess(time.monotonic(), last)
            time.sleep(0.02)

    def test_counts_restarts(self):
        gateway, port = self.serve(log={"level": "off"}, servers={"good": demo()})
        session = Session(port)
        session.call("echo", text="hi")
        children = pathlib.Path(f"/proc/{gateway.process.pid}/task/{gateway.process.pid}/children").read_text().split()
        subprocess.run(["kill", "-9", *children], check=True)
        self.until(lambda: sample(get(port)[1], "fairlead_child_processes") == 0)
        self.assertEqual(session.call("echo", text="again"), "again")
        text = get(port)[1]
        self.assertEqual(sample(text, "fairlead_server_restarts_total", server="good"), 1, text)
        self.assertEqual(sample(text, "fairlead_server_failures_total", server="good"), 1, text)

    def test_attack_metrics_require_a_key(self):
        keys = {"anna": hashlib.sha256(SECRET.encode()).hexdigest()}
        _, port = self.serve(listen={"port": 0, "keys": keys})
        self.assertEqual(get(port)[0].status, 401)
        self.assertEqual(get(port, Authorization=f"Bearer {SECRET}")[0].status, 200)

    def test_path_is_configurable_and_can_be_disabled(self):
        _, port = self.serve(metrics="/figures", listen={"port": 0, "base_path": "/base"})
        self.assertEqual(get(port, "/base/figures")[0].status, 200)
        self.assertEqual(get(port, "/base/metrics")[0].status, 404)
        _, port = self.serve(metrics="off")
        self.assertEqual(get(port)[0].status, 404)


class CallLogFormat(Program):
    def test_logs_one_line_per_call_with_times_per_hop(self):
        path = self.write("lines.json", {"listen": {"port": 0}, "servers": {"good": demo()}, "log": {"calls": "json"}})
        gateway = self.start("serve", "-c", path)
        session = Session(gateway.port())
        session.call("echo", text="hi", password=SECRET)
        line = gateway.wait_for(r'call: (\{.*"target":"echo".*\})').group(1)
        call_record = json.loads(line)
        self.assertEqual((call_record["method"], call_record["server"], call_record["transport"]), ("tools/call", "good", "ok"))
        self.assertGreater(call_record["server_ms"], 0)
        self.assertAlmostEqual(call_record["ms"], call_record["server_ms"] + call_record["chain_ms"], places=2)
        self.assertEqual(len(re.findall('"target":"echo"', gateway.printed())), 1)
        self.assertNotIn(SECRET, gateway.printed())

    def test_text_call_lines_inside_a_json_log(self):
        path = self.write("lines.json", {"listen": {"port": 0}, "servers": {"good": demo()},
                                         "log": {"calls": "text", "format": "json"}})
        gateway = self.start("serve", "-c", path)
        Session(gateway.port()).call("echo", text="hi")
        gateway.wait_for("target=echo")
        records = [json.loads(line) for line in gateway.printed().splitlines()]
        lines = [record["message"] for record in records if record["component"] == "call"]
        self.assertEqual(len([line for line in lines if re.search(r"target=echo .*server_ms=\d", line)]), 1, lines)


if __name__ == "__main__":
    run_tests()
