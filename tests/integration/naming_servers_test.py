"""usage: naming_servers_test.py <program>: how the commands accept configured servers, URLs and server commands."""
import json
import re
import sys
import unittest

from command_line_fixture import PROGRAM, Home


class NamingServers(Home):
    def setUp(self):
        super().setUp()
        self.run_it("add", "mine", "--", sys.executable, self.stand_in)

    def test_Finding_C3_every_command_accepts_configured_servers(self):
        self.assertIn("plain", self.run_it("list", "mine").stdout)
        self.assertIn("greet", self.run_it("list", "mine", "prompts").stdout)
        self.assertIn("greet", self.run_it("list", "prompts", "mine").stdout)
        self.assertIn("stand-in responded", self.run_it("ping", "mine").stdout)
        self.assertIn("stand-in", self.run_it("discover", "mine").stdout)
        self.assertEqual(self.run_it("read", "mine", "mem://a").stdout, "read mem://a")
        self.assertEqual(self.run_it("prompt", "mine", "greet").stdout, "user: prompt greet\n")
        self.assertEqual(self.run_it("prompt", "mine.greet").stdout, "user: prompt greet\n")
        self.assertEqual(self.run_it("call", "mine", "plain").stdout, "called plain\n")
        self.assertEqual(self.run_it("call", "mine.plain").stdout, "called plain\n")
        self.assertEqual(self.run_it("call", "mine.x", "mine=1").stdout, "called x\n")
        self.assertEqual(self.run_it("call", "plain", "--", PROGRAM, "connect", "mine").stdout, "called plain\n")

    def test_Finding_C3_sessions_with_configured_servers_are_recorded_and_replayed(self):
        done = self.run_it("call", "plain", "--", PROGRAM, "record", "-o", "s.mcpl", "mine")
        self.assertEqual(done.stdout, "called plain\n")
        self.run_it("replay", "s.mcpl", "--as-client", "--lenient", "mine")

    def test_Finding_C3_config_option_works_for_every_command(self):
        other = self.write("other.yaml", f"debug: true\nservers:\n  theirs: stdio:{sys.executable} {self.stand_in}\n")
        for option in ("-c", "--config"):
            for words in (["list", "theirs"], ["ping", "theirs"], ["call", "theirs.plain"], ["discover", "theirs"]):
                done = self.run_it(*words, option, other)
                self.assertIn("send json=", done.stderr, words)
            self.run_it("ls", option, other)
            self.run_it("tools", option, other)
        self.run_it("--config", other, "ping", "theirs")

    def test_Finding_C3_an_unknown_server_error_lists_known_servers(self):
        for words in (["list", "mien"], ["ping", "mien"], ["read", "mien", "mem://a"], ["prompt", "mien.greet"],
                      ["discover", "mien"]):
            done = self.run_it(*words, code=2)
            self.assertIn("did you mean 'mine'?", done.stderr)

    def test_Finding_C3_tools_accepts_urls_and_commands(self):
        self.assertIn("plain", self.run_it("tools", "mine").stdout)
        self.assertIn("plain", self.run_it("tools", "--", sys.executable, self.stand_in).stdout)
        self.assertIn("plain", self.run_it("list", "tools").stdout)

    def test_Finding_C3_every_command_declares_the_same_capabilities(self):
        tools = {"plain", "with-elicitation", "with-roots", "with-sampling"}
        self.assertEqual({tool["name"] for tool in json.loads(self.run_it("list", "mine", "--json").stdout)["tools"]}, tools)
        self.assertEqual({tool["tool"] for tool in json.loads(self.run_it("tools", "--json").stdout)["tools"]}, tools)
        self.assertEqual(json.loads(self.run_it("ls", "--json").stdout)[0]["tools"], 4)
        self.assertEqual(json.loads(self.run_it("check", "--json").stdout)["tools"], 4)
        self.assertIn("4 tools", self.run_it("doctor", "--json", code=0).stdout)

    def test_Finding_C3_a_sampling_request_names_the_option(self):
        done = self.run_it("call", "ask_model", "prompt=hm", "--", PROGRAM, "demo", code=1)
        self.assertIn("--sample", done.stderr)

    def test_Finding_C3_bench_accepts_names_urls_and_commands(self):
        self.run_it("add", "load", "-e", "COLOUR=blue", "--", "sh", "-c", f'test "$COLOUR" = blue && exec {PROGRAM} demo')
        few = ["--warm", "0", "--calls", "3", "--connections", "1", "--json"]
        for words in (["load"], ["--", PROGRAM, "demo"], [self.demo_url()]):
            [run] = json.loads(self.run_it("bench", *few, *words).stdout)["runs"]
            self.assertEqual((run["calls"], run["failures"]), (3, 0))
        self.assertEqual(json.loads(self.run_it("bench", "--starts", "1", "--json", "load").stdout)["starts"], 1)

    def test_Finding_C3_bench_sends_the_headers_of_a_configured_server(self):
        secret = self.run_it("key", "ann", "--keys", "keys.txt").stdout.strip()
        printed = self.start("--port", "0", "--keys", "keys.txt", "--", PROGRAM, "demo")
        url = re.search(r"http://127\.0\.0\.1:\d+/mcp", printed).group()
        self.write("far.json", json.dumps({"mcpServers": {"far": {
            "url": url, "headers": {"Authorization": f"Bearer {secret}"}}}}))
        done = self.run_it("bench", "far", "-c", "far.json", "--warm", "0", "--calls", "3", "--connections", "1",
                           "--against", "far", "--json")
        document = json.loads(done.stdout)
        self.assertEqual([run["calls"] for run in document["runs"] + document["against_runs"]], [3, 3])
        self.assertNotIn(secret, done.stdout + done.stderr)

    def test_Finding_C3_smoke_accepts_a_configured_server(self):
        self.assertIn(": passed", self.run_it("smoke", "mine").stdout)
        self.run_it("add", "gone", "--", "no-such-program-here")
        self.assertIn("no-such-program-here", self.run_it("smoke", "gone", code=3).stderr)

    def test_Finding_C3_connect_accepts_a_command(self):
        done = self.run_it("call", "plain", "--", PROGRAM, "connect", "-e", "A=b", "--", sys.executable, self.stand_in)
        self.assertEqual(done.stdout, "called plain\n")

    def test_Finding_C3_the_form_without_a_command_accepts_names_urls_and_commands(self):
        for words in (["mine"], [self.demo_url()], ["--", self.demo_url()], ["--", PROGRAM, "demo"]):
            printed = self.start("--port", "0", *words)
            url = re.search(r"http://127\.0\.0\.1:\d+/mcp", printed).group()
            self.run_it("ping", url)
        # The option may also follow the server.
        self.start(self.demo_url(), "--port", "0")

    def test_Finding_C3_every_command_suggests_a_name_for_a_mistyped_one(self):
        for words in (["bench", "mien"], ["smoke", "mien"], ["connect", "mien"], ["--port", "0", "mien"],
                      ["record", "-o", "s.mcpl", "mien"]):
            self.assertIn("did you mean 'mine'?", self.run_it(*words, code=2).stderr)

    def demo_url(self):
        printed = self.start("--port", "0", "--", PROGRAM, "demo")
        return re.search(r"http://127\.0\.0\.1:\d+/mcp", printed).group()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
