"""What the tests of `fairlead answer` share: <program> <version> are the arguments of each."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import responses_stand_in as api
from server_process import ServerProcess

PROGRAM, VERSION = os.path.abspath(sys.argv[1]), sys.argv[2]
KEY = "sk-planted-0123456789-very-secret"
PLAIN = api.reply(api.message("404 means that there is no such page."))
# What is in force must be what a test says, not what the machine that runs it says.
for name in ("DEBUG", "FAIRLEAD_DEBUG", "MODEL_ANSWER", "OPENAI_API_KEY", "OPENAI_BASE_URL", "http_proxy", "https_proxy",
             "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "SSL_CERT_FILE"):
    os.environ.pop(name, None)


def call_message(id, tool="answer", progress=None, **arguments):
    params = {"name": tool, "arguments": arguments} | ({} if progress is None else {"_meta": {"progressToken": progress}})
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}, ensure_ascii=False)


class Answering(unittest.TestCase):
    """Each test is a user with a home of their own, and an endpoint that says what the test wants."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.environment = {"HOME": str(self.home), "OPENAI_API_KEY": KEY}

    def endpoint(self, *turns, **options):
        stand_in = api.StandIn(*turns, **options)
        self.addCleanup(stand_in.close)
        self.environment["OPENAI_BASE_URL"] = stand_in.url
        self.addCleanup(lambda: self.assertEqual(stand_in.problems, []))
        return stand_in

    def config(self, text):
        path = self.home / "config.yaml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def start(self, *options, **environment):
        return ServerProcess(PROGRAM, "answer", *options, env=self.environment | environment)

    def ask(self, query="HTTP 404?", tool="answer", options=(), server=None, **arguments):
        """The reply to one question of a server of its own."""
        if server is None:
            with self.start(*options) as own:
                return self.ask(query, tool, server=own, **arguments)
        server.send(call_message(3, tool, query=query, **arguments))
        return server.receive()

    def answer(self, *words, **options):
        content = self.ask(*words, **options)["result"]["content"]
        self.assertEqual([block["type"] for block in content], ["text"])
        return json.loads(content[0]["text"])

    def failure(self, *words, **options):
        error = self.ask(*words, **options)["error"]
        self.assertEqual((error["code"], error["message"]), (-32001, "answer failed"))
        return error["data"]["message"]

    def cancelled(self, endpoint):
        """Cancels a question that the endpoint holds: it sees the end of the connection, the client no answer."""
        with self.start() as server:
            server.send(call_message("five", query="q"))
            endpoint.wait_for_request()
            server.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"five"}}')
            self.assertTrue(endpoint.hung_up.wait(60))
            self.assertEqual(server.ask("ping", id=9), {"jsonrpc": "2.0", "id": 9, "result": {}})
            self.assertEqual(server.rest(), (b"", 0))
        self.assertEqual(len(endpoint.seen), 1)

    def run_it(self, *words, code=0, stdin="", **environment):
        done = subprocess.run([PROGRAM, *map(str, words)], input=stdin, capture_output=True, text=True, timeout=240,
                              env=os.environ | self.environment | environment, cwd=self.home)
        self.assertEqual(done.returncode, code, (words, done.stdout, done.stderr))
        return done


def run_tests():
    unittest.main(module="__main__", argv=[sys.argv[0], *sys.argv[3:]])
