"""usage: stdio_server_test.py <fixture_server>: the requirements on a stdio server, tested with a real process."""
import json
import os
import pty
import select
import signal
import subprocess
import sys
import unittest

from server_process import ServerProcess, counted

FIXTURE = sys.argv[1]
REPORT = "file:///home/user/documents/report.pdf"


def start(which):
    return ServerProcess(FIXTURE, which)


def chain():
    """A server whose client selected the error codes of seed document 003 with the method `initialized`."""
    server = start("chain")
    server.request("initialize", {"protocolVersion": "2025-03-26"})
    server.send('{"jsonrpc":"2.0","method":"initialized"}')
    return server


def code(reply):
    return reply["error"]["code"]


class Versions(unittest.TestCase):
    def settled(self, count):
        with start("chain") as server:
            reply = server.request("initialize", {"protocolVersion": count, "capabilities": {}})
            return reply["result"]["protocolVersion"]

    def test_S0_31_speaks_2025_06_18_and_negotiates_later_ones(self):
        self.assertEqual(self.settled("2025-06-18"), "2025-06-18")
        self.assertEqual(self.settled("2025-11-25"), "2025-11-25")
        self.assertEqual(self.settled("2099-01-01"), "2025-11-25")

    def test_S2_01_speaks_2025_03_26_with_batches_and_utf_8(self):
        with start("chain") as server:
            self.assertEqual(server.request("initialize", {"protocolVersion": "2025-03-26"})["result"]["protocolVersion"],
                             "2025-03-26")
            call = {"jsonrpc": "2.0", "id": "世", "method": "tools/call",
                    "params": {"name": "get_weather", "arguments": {"location": "Köln 🌦"}}}
            server.send(json.dumps([call, {"jsonrpc": "2.0", "id": 2, "method": "ping"}], ensure_ascii=False))
            answers = {answer["id"]: answer["result"] for answer in server.receive()}
            self.assertEqual(answers["世"]["content"][0]["text"], "The weather in Köln 🌦 is 72°F and sunny.")
            self.assertEqual(answers[2], {})


class Terminals(unittest.TestCase):
    def terminal_output(self):
        """The stderr of a server that is started on a terminal and ended with Ctrl-D."""
        near, far = pty.openpty()
        with subprocess.Popen([FIXTURE, "chain"], stdin=far, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as server:
            os.close(far)
            printed, _, _ = select.select([server.stderr], [], [], 30)
            line = server.stderr.readline() if printed else "(nothing within 30 s)"
            os.write(near, b"\x04")
            self.assertEqual(server.wait(60), 0)
            os.close(near)
            return line

    def test_Finding_B11_prints_a_hint_on_a_terminal(self):
        self.assertIn("waiting for an MCP client on stdin, which is a terminal", self.terminal_output())

    def test_Finding_B11_prints_nothing_on_a_pipe(self):
        done = subprocess.run([FIXTURE, "chain"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stderr, "")


class Operation(unittest.TestCase):
    def test_S3_08_lists_calls_reads_and_subscribes(self):
        with chain() as server:
            self.assertEqual(server.request("tools/list")["result"]["tools"][0]["name"], "get_weather")
            self.assertEqual(server.request("resources/list")["result"]["resources"][0]["uri"], REPORT)
            self.assertEqual(server.request("prompts/list")["result"]["prompts"][0]["name"], "code_review")
            self.assertIn("blob", server.request("resources/read", {"uri": REPORT})["result"]["contents"][0])
            self.assertEqual(server.request("resources/subscribe", {"uri": REPORT})["result"], {})
            server.send('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"touch"}}')
            printed = [server.receive(), server.receive()]
            self.assertIn({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": REPORT}}, printed)
            self.assertEqual([message["id"] for message in printed if "id" in message], [5])

    def test_S3_33_S3_35_uses_every_error_code_as_documented(self):
        with chain() as server:
            server.send("{oops")
            self.assertEqual(code(server.receive()), -32700)
            server.send('{"jsonrpc":"1.0","id":1,"method":"ping"}')
            self.assertEqual(code(server.receive()), -32600)
            self.assertEqual(code(server.request("no/such")), -32601)
            self.assertEqual(code(server.request("tools/call", {"name": "get_weather", "arguments": {}})), -32602)
            self.assertEqual(code(server.request("tools/list", {"cursor": "made up"})), -32602)
            self.assertEqual(code(server.request("resources/read", {"uri": "file:///broken"})), -32603)
            self.assertEqual(code(server.request("tools/call", {"name": "none"})), -32001)
            self.assertEqual(code(server.request("resources/read", {"uri": "file:///none"})), -32002)
            self.assertEqual(code(server.request("prompts/get", {"name": "none"})), -32003)
            self.assertEqual(code(server.request("tools/call", {"name": "fail"})), -32004)
            self.assertEqual(code(server.request("resources/read", {"uri": "file:///secret"})), -32005)

    def test_S4_24_every_error_has_its_own_code_and_data(self):
        with start("note") as server:
            server.request("mcp/initialize", {})
            server.send('{"jsonrpc":"2.0","id":')
            replies = [server.receive()]
            server.send('{"jsonrpc":"2.0","id":1}')
            replies.append(server.receive())
            replies.append(server.request("tools/call", {"name": "none"}))
            replies.append(server.request("tools/call", {"name": "getNpmPackageInfo", "arguments": {"packageName": 7}}))
            self.assertEqual([code(reply) for reply in replies], [-32700, -32600, -32601, -32602])
            for reply in replies:
                self.assertTrue(reply["error"].get("data"), reply)
            self.assertIn("none", replies[2]["error"]["data"])
            self.assertIn("packageName", replies[3]["error"]["data"])

    def test_S1_49b_an_error_says_what_to_do(self):
        with start("chain") as server:
            missing = server.request("tools/call", {"name": "get_weather", "arguments": {}})
            self.assertIn("location", missing["result"]["content"][0]["text"])
            self.assertIn("required", missing["result"]["content"][0]["text"])
            for method, params, named in (("no/such", {}, "no/such"), ("tools/call", {"name": "missing"}, "missing"),
                                          ("tools/call", {}, "name"), ("resources/read", {"uri": "a:b"}, "a:b"),
                                          ("prompts/get", {"name": "nothing"}, "nothing")):
                error = server.request(method, params)["error"]
                self.assertIn(named, error["message"] + json.dumps(error.get("data")))

    def test_S1_15_reports_parse_errors_and_continues(self):
        with start("chain") as server:
            server.send('{"jsonrpc":"2.0","id":"it","method":"tools/call","params":{"name":"x",}}')
            reply = server.receive()
            self.assertEqual(sorted(reply), ["error", "id", "jsonrpc"])
            self.assertEqual((reply["jsonrpc"], reply["id"], code(reply)), ("2.0", None, -32700))
            self.assertTrue(reply["error"]["message"])
            self.assertEqual(server.request("ping", id=2), {"jsonrpc": "2.0", "id": 2, "result": {}})


class Process(unittest.TestCase):
    def test_S0_34_S4_10_serves_stdio_and_opens_no_socket_by_default(self):
        with start("chain") as server:
            self.assertEqual(server.request("ping"), {"jsonrpc": "2.0", "id": 1, "result": {}})
            self.assertEqual([name for name in server.descriptors() if name.startswith("socket:")], [])

    def test_S3_09_ends_when_its_stdin_closes(self):
        with start("chain") as server:
            server.request("ping")
            self.assertEqual(server.rest(), (b"", 0))

    def test_S3_09_answers_requests_sent_before_its_stdin_closed(self):
        ping = '{"jsonrpc":"2.0","id":%d,"method":"ping"}\n'
        done = subprocess.run([FIXTURE, "chain"], input="".join(ping % id for id in range(100)), capture_output=True,
                              text=True, timeout=60)
        self.assertEqual([json.loads(line)["id"] for line in done.stdout.splitlines()], list(range(100)))
        self.assertEqual(done.returncode, 0)

    def test_S3_09_ends_when_its_stdout_closes(self):
        with start("chain") as server:
            server.request("ping")
            server.process.stdout.close()
            server.send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
            self.assertEqual(server.wait(), 1)

    def test_S3_09_ends_on_sigterm(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with start("chain") as server:
                server.request("ping")
                server.process.send_signal(number)
                self.assertEqual(server.wait(), 0)

    def test_S2_06_what_a_tool_prints_goes_to_stderr(self):
        with start("chain") as server:
            reply = server.request("tools/call", {"name": "print"})
            self.assertEqual(reply["result"]["content"][0]["text"], "done")
            self.assertEqual(server.rest(), (b"", 0))
            self.assertIn(b"printed", server.process.stderr.read())


class BadInput(unittest.TestCase):
    MESSAGES = ['{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}',
                '{"jsonrpc":"2.0","method":"notifications/initialized"}',
                '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"get_weather","arguments":{"location":"意"}}}']

    @staticmethod
    def spoilt(text):
        """Variants of a line: each byte flipped, deleted or doubled, and the line truncated before it."""
        for at in range(len(text)):
            yield text[:at] + bytes([text[at] ^ 0x20]) + text[at + 1:]
            yield text[:at] + bytes([text[at] ^ 0x80]) + text[at + 1:]
            yield text[:at] + text[at + 1:]
            yield text[:at] + text[at:at + 1] + text[at:]
            yield text[:at] + b"\n"

    def test_survives_every_corrupt_byte_and_answers_the_next_message(self):
        with start("chain") as server:
            number = 0
            for message in self.MESSAGES:
                for bad in self.spoilt(message.encode()):
                    number += 1
                    server.send(bad + b'\n{"jsonrpc":"2.0","id":"good %d","method":"ping"}\n' % number)
                    while (reply := server.receive()).get("id") != f"good {number}":
                        self.assertTrue("error" in reply or "result" in reply, bad)
                    self.assertEqual(reply["result"], {}, bad)
            self.assertIsNone(server.process.poll())
            self.assertEqual(server.rest(), (b"", 0))

    def test_answers_a_content_length_message_after_garbage(self):
        with start("chain") as server:
            for number, bad in enumerate((b"\0\xff\xfe", b"Content-Length: 7\r\n\r\ngarbage", b"Content-Length: x\r\n\r\n{}",
                                          b"Content-Length: 99999\r\n\r\n{\"a\":", b"Content-Lengt: 2\r\n\r\n{}")):
                server.send(bad + b"\n" + counted('{"jsonrpc":"2.0","id":%d,"method":"ping"}' % number))
                while server.receive().get("id") != number:
                    pass

    def test_answers_without_waiting_for_a_missing_newline(self):
        with start("chain") as server:
            server.send(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
            self.assertEqual(server.receive()["id"], 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
