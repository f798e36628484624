"""Shared code of the `fairlead answer` tests, which have the arguments <program> <version>."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import fake_responses_api as api
from server_process import ServerProcess

PROGRAM, VERSION = os.path.abspath(sys.argv[1]), sys.argv[2]
KEY = "sk-planted-0123456789-very-secret"
PLAIN = api.reply(api.message("404 means that there is no such page."))
# The environment of the machine must not influence the tests.
for name in ("DEBUG", "FAIRLEAD_DEBUG", "MODEL_ANSWER", "OPENAI_API_KEY", "OPENAI_BASE_URL", "http_proxy", "https_proxy",
             "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "SSL_CERT_FILE"):
    os.environ.pop(name, None)


def call_message(id, tool="answer", progress=None, **arguments):
    params = {"name": tool, "arguments": arguments} | ({} if progress is None else {"_meta": {"progressToken": progress}})
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}, ensure_ascii=False)


class AnswerTest(unittest.TestCase):
    """Each test has its own home directory and a fake endpoint with scripted replies."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.environment = {"HOME": str(self.home), "OPENAI_API_KEY": KEY}

    def endpoint(self, *turns, **options):
        stand_in = api.FakeResponsesApi(*turns, **options)
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
        """Starts a server, asks one question and returns the reply."""
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
        """Cancels a pending question: the endpoint must see the connection closed, the client must get no response."""
        with self.start() as server:
            server.send(call_message("five", query="q"))
            endpoint.wait_for_request()
            server.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"five"}}')
            self.assertTrue(endpoint.hung_up.wait(60))
            self.assertEqual(server.request("ping", id=9), {"jsonrpc": "2.0", "id": 9, "result": {}})
            self.assertEqual(server.rest(), (b"", 0))
        self.assertEqual(len(endpoint.seen), 1)

    def run_it(self, *words, code=0, stdin="", **environment):
        done = subprocess.run([PROGRAM, *map(str, words)], input=stdin, capture_output=True, text=True, timeout=240,
                              env=os.environ | self.environment | environment, cwd=self.home)
        self.assertEqual(done.returncode, code, (words, done.stdout, done.stderr))
        return done


def run_tests():
    unittest.main(module="__main__", argv=[sys.argv[0], *sys.argv[3:]])
