"""usage: trace_test.py <program>: traces and Server-Timing of calls through two gateways."""
import json
import re
import socket
import sys

from gateway_process import Program, Session, demo, run_tests
from otlp_receiver import Receiver

CLIENTS_TRACE, CLIENTS_SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TRACEPARENT = f"00-{CLIENTS_TRACE}-{CLIENTS_SPAN}-01"
SECRET = "hunter2-very-secret"
SERVER, CLIENT = 2, 3

# A tool that returns its params; the other tools fail, each in a different way.
ECHO = r'''
import json, sys
tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("echo", "fail", "refuse", "die")]
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    method, params = message["method"], message.get("params", {})
    answer = {"error": {"code": -32601, "message": "unknown"}}
    if method == "initialize":
        answer = {"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                             "serverInfo": {"name": "echo", "version": "1"}}}
    elif method == "tools/list":
        answer = {"result": {"tools": tools}}
    elif method == "tools/call" and params["name"] == "die":
        sys.exit(1)
    elif method == "tools/call" and params["name"] == "refuse":
        answer = {"error": {"code": -32602, "message": "refused"}}
    elif method == "tools/call":
        answer = {"result": {"content": [{"type": "text", "text": json.dumps(params)}],
                             "isError": params["name"] == "fail"}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
'''


class Caller(Session):
    def call_with_trace(self, **params):
        """Calls the echo tool. Returns the params that the server received."""
        return json.loads(self.request("tools/call", params)["result"]["content"][0]["text"])


class Traced(Program):
    def setUp(self):
        super().setUp()
        for name in [name for name in self.environment if name.startswith("OTEL_")]:
            del self.environment[name]
        self.script = self.write("echo.py", ECHO)

    def receiver(self, mood="well"):
        made = Receiver(mood)
        self.addCleanup(made.close)
        return made

    def gateway(self, name, servers, **settings):
        settings = {"listen": {"port": 0}, "servers": servers} | settings
        return self.start("serve", "-c", self.write(f"{name}.json", settings))

    def echo(self):
        return {"command": [sys.executable, str(self.script)]}

    def in_a_row(self, **settings):
        """Starts two gateways in a chain before one server. Returns the inner and the outer one."""
        def own(name):
            return {key: value(name) if callable(value) else value for key, value in settings.items()}
        inner = self.gateway("inner", {"git": self.echo()}, **own("inner"))
        far = {"url": f"http://127.0.0.1:{inner.port()}/mcp"}
        return inner, self.gateway("outer", {"far": far}, **own("outer"))


class Traces(Traced):
    def follow(self, spans):
        """The hops of one call, starting at the client."""
        by_parent = {span.get("parentSpanId"): span for span in spans}
        line, span = [], by_parent.get(CLIENTS_SPAN)
        while span:
            line.append(span)
            span = by_parent.get(span["spanId"])
        return line

    def check_line(self, receiver, got):
        spans = receiver.spans_of("tools/call echo", 4)
        line = self.follow(spans)
        self.assertEqual([(span["service"], span["kind"]) for span in line],
                         [("outer", SERVER), ("outer", CLIENT), ("inner", SERVER), ("inner", CLIENT)], spans)
        self.assertEqual({span["traceId"] for span in line}, {CLIENTS_TRACE})
        self.assertEqual(got["_meta"]["traceparent"], f"00-{CLIENTS_TRACE}-{line[-1]['spanId']}-01")
        self.assertEqual([span["attributes"]["mcp.server.name"] for span in line], ["far", "far", "git", "git"])
        for outer, inner in zip(line, line[1:]):
            self.assertGreaterEqual(duration(outer), duration(inner))
        for span in line:
            self.assertEqual(span["attributes"]["mcp.method.name"], "tools/call")
            self.assertEqual(span["attributes"]["gen_ai.tool.name"], "echo")
            self.assertEqual(span["status"], {})
            self.assertRegex(span["startTimeUnixNano"], r"^1\d{18}$")

    def trace_to(self, receiver):
        return {"trace": lambda name: {"endpoint": receiver.url, "service": name}}

    def test_a_trace_in_meta_continues_through_two_gateways(self):
        receiver = self.receiver()
        _, outer = self.in_a_row(**self.trace_to(receiver))
        caller = Caller(outer.port())
        got = caller.call_with_trace(name="echo", arguments={"a": 1}, _meta={"traceparent": TRACEPARENT, "tracestate": "x=1"})
        self.check_line(receiver, got)
        self.assertEqual(got["_meta"]["tracestate"], "x=1")
        self.assertEqual(receiver.requests[0][0], "/v1/traces")
        self.assertEqual(receiver.requests[0][1]["Content-Type"], "application/json")

    def test_a_trace_in_headers_continues_through_two_gateways(self):
        receiver = self.receiver()
        _, outer = self.in_a_row(**self.trace_to(receiver))
        caller = Caller(outer.port())
        caller.headers |= {"Traceparent": TRACEPARENT, "tracestate": "x=1", "baggage": "who=me"}
        got = caller.call_with_trace(name="echo", arguments={})
        self.check_line(receiver, got)
        self.assertEqual((got["_meta"]["tracestate"], got["_meta"]["baggage"]), ("x=1", "who=me"))

    def test_without_a_collector_traces_pass_but_do_not_start(self):
        _, outer = self.in_a_row()
        caller = Caller(outer.port())
        self.assertEqual(caller.call_with_trace(name="echo"), {"name": "echo"})
        self.assertEqual(caller.call_with_trace(name="echo", _meta={"traceparent": TRACEPARENT})["_meta"],
                         {"traceparent": TRACEPARENT})
        caller.headers |= {"traceparent": TRACEPARENT}
        self.assertEqual(caller.call_with_trace(name="echo")["_meta"], {"traceparent": TRACEPARENT})
        caller.headers |= {"traceparent": "nonsense"}
        self.assertEqual(caller.call_with_trace(name="echo"), {"name": "echo"})

    def test_calls_without_a_trace_start_one(self):
        receiver = self.receiver()
        gateway = self.gateway("one", {"git": self.echo()}, trace=receiver.url)
        caller = Caller(gateway.port())
        got = [caller.call_with_trace(name="echo") for _ in range(3)]
        spans = receiver.spans_of("tools/call echo", 6)
        self.assertEqual(len({span["traceId"] for span in spans}), 3)
        self.assertEqual({each["_meta"]["traceparent"][36:52] for each in got},
                         {span["spanId"] for span in spans if span["kind"] == CLIENT})
        self.assertEqual(sum("parentSpanId" not in span for span in spans), 3)

    def test_unsampled_traces_are_not_exported(self):
        receiver = self.receiver()
        gateway = self.gateway("one", {"git": self.echo()}, trace={"endpoint": receiver.url, "sample": 0})
        caller = Caller(gateway.port())
        for _ in range(5):
            self.assertTrue(caller.call_with_trace(name="echo")["_meta"]["traceparent"].endswith("-00"))
        self.assertTrue(caller.call_with_trace(name="echo", _meta={"traceparent": TRACEPARENT[:-1] + "0"}))
        caller.call_with_trace(name="echo", _meta={"traceparent": TRACEPARENT})
        receiver.spans_of("tools/call echo", 2)
        gateway.stop()
        self.assertEqual({span["traceId"] for span in receiver.spans}, {CLIENTS_TRACE})
        self.assertEqual(len(receiver.spans), 2)

    def test_distinguishes_failures(self):
        receiver = self.receiver()
        gateway = self.gateway("one", {"git": self.echo()}, trace=receiver.url)
        caller = Caller(gateway.port())
        for tool, kind in (("fail", "tool_error"), ("refuse", "-32602"), ("die", "closed")):
            caller.request("tools/call", {"name": tool})
            for span in receiver.spans_of(f"tools/call {tool}", 2):
                self.assertEqual((span["status"]["code"], span["attributes"]["error.type"]), (2, kind), span)
        for span in receiver.spans_of("tools/call refuse", 2):
            self.assertEqual(span["attributes"]["rpc.response.status_code"], "-32602")
            self.assertEqual(span["status"]["message"], "refused")

    def test_exports_remaining_spans_at_exit(self):
        receiver = self.receiver()
        gateway = self.gateway("one", {"git": self.echo()}, trace=receiver.url)
        Caller(gateway.port()).call_with_trace(name="echo")
        self.assertEqual(gateway.stop(), 0)
        self.assertEqual(len([span for span in receiver.spans if span["name"] == "tools/call echo"]), 2)


class CollectorFailures(Traced):
    """A failing collector must not affect calls."""

    def call_often(self, gateway, count=50):
        caller = Caller(gateway.port())
        for _ in range(count):
            self.assertEqual(caller.call_with_trace(name="echo", arguments={"a": 1})["arguments"], {"a": 1})

    def settings(self, url):
        return {"endpoint": url, "headers": {"Authorization": f"Bearer {SECRET}"}}

    def test_collector_unreachable(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{unused.getsockname()[1]}"
            gateway = self.gateway("one", {"git": self.echo()}, trace=self.settings(url))
            self.call_often(gateway)
            gateway.wait_for("does not accept spans")
            self.call_often(gateway)
            self.assertEqual(gateway.stop(), 0)
        self.assertEqual(gateway.printed().count("does not accept spans"), 1)
        self.assertNotIn(SECRET, gateway.printed())

    def test_collector_silent(self):
        receiver = self.receiver("silent")
        gateway = self.gateway("one", {"git": self.echo()}, trace=self.settings(receiver.url))
        self.call_often(gateway)
        receiver.wait_for(lambda: receiver.requests, "a request")
        self.call_often(gateway)
        self.assertEqual(gateway.stop(), 0)
        self.assertIn("spans for", gateway.printed())
        self.assertNotIn(SECRET, gateway.printed())

    def test_collector_busy_gets_spans_later(self):
        receiver = self.receiver("busy")
        gateway = self.gateway("one", {"git": self.echo()}, trace=self.settings(receiver.url))
        self.call_often(gateway, 5)
        receiver.wait_for(lambda: len(receiver.requests) >= 2, "a second try")
        self.call_often(gateway, 5)
        receiver.mood = "well"
        self.assertEqual(len(receiver.spans_of("tools/call echo", 20)), 20)
        gateway.wait_for("accepts spans again; 0 were dropped")
        self.assertEqual(receiver.requests[0][1]["Authorization"], f"Bearer {SECRET}")
        self.assertNotIn(SECRET, gateway.printed())

    def test_collector_sends_garbage(self):
        receiver = self.receiver("garbage")
        gateway = self.gateway("one", {"git": self.echo()}, trace=self.settings(receiver.url))
        self.call_often(gateway)
        gateway.wait_for("spans for .* were dropped")
        self.call_often(gateway)
        self.assertEqual(gateway.stop(), 0)

    def test_reads_otel_environment_variables(self):
        receiver = self.receiver()
        self.environment |= {"OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url, "OTEL_SERVICE_NAME": "ours",
                             "OTEL_EXPORTER_OTLP_HEADERS": f"api-key={SECRET}"}
        off = self.gateway("off", {"git": self.echo()})
        self.call_often(off, 1)
        off.stop()
        self.assertEqual(receiver.requests, [])
        on = self.gateway("on", {"git": self.echo()}, trace=True)
        self.call_often(on, 1)
        self.assertEqual(receiver.spans_of("tools/call echo", 2)[0]["service"], "ours")
        self.assertEqual(receiver.requests[0][1]["api-key"], SECRET)
        self.assertNotIn(SECRET, on.printed())

    def test_reload_changes_the_collector(self):
        first, second = self.receiver(), self.receiver()
        settings = {"listen": {"port": 0}, "servers": {"git": self.echo()}}
        path = self.write("one.json", settings | {"trace": first.url})
        gateway = self.start("serve", "-c", path, "--watch")
        caller = Caller(gateway.port())
        caller.call_with_trace(name="echo")
        self.write("one.json", settings | {"trace": second.url})
        gateway.wait_for("configuration reloaded")
        caller.call_with_trace(name="echo")
        self.assertEqual(len(first.spans_of("tools/call echo", 2)), 2)
        self.assertEqual(len(second.spans_of("tools/call echo", 2)), 2)


class Times(Traced):
    def test_server_timing_has_each_hop(self):
        _, outer = self.in_a_row(server_timing=True)
        caller = Caller(outer.port())
        caller.call_with_trace(name="echo")
        field = caller.answered["Server-Timing"]
        names = [entry.split(";")[0] for entry in field.split(", ")]
        self.assertEqual(names, ["front", "far", "far.front", "far.git"], field)
        times = [float(time) for time in re.findall(r"dur=([\d.]+)", field)]
        self.assertEqual(times, sorted(times, reverse=True), field)
        self.assertIn('far.git;dur=%.3f;desc="server"' % times[3], field)

    def test_errors_have_server_timing(self):
        gateway = self.gateway("one", {"git": self.echo()}, server_timing=True)
        caller = Caller(gateway.port())
        caller.request("tools/call", {"name": "refuse"})
        self.assertRegex(caller.answered["Server-Timing"], r"^front;dur=[\d.]+, git;dur=[\d.]+;desc=\"server\"$")

    def test_server_timing_is_opt_in(self):
        _, outer = self.in_a_row(server_timing=lambda name: name == "inner")
        caller = Caller(outer.port())
        caller.call_with_trace(name="echo")
        self.assertNotIn("Server-Timing", caller.answered)

    def test_a_streamed_response_has_no_server_timing(self):
        gateway = self.gateway("one", {"demo": demo()}, server_timing=True)
        caller = Caller(gateway.port())
        answer = caller.request("tools/call", {"name": "progress", "arguments": {"steps": 2}, "_meta": {"progressToken": 1}})
        self.assertIn("result", answer)
        self.assertTrue(caller.answered["Content-Type"].startswith("text/event-stream"))
        self.assertNotIn("Server-Timing", caller.answered)


def duration(span):
    return int(span["endTimeUnixNano"]) - int(span["startTimeUnixNano"])


if __name__ == "__main__":
    run_tests()
