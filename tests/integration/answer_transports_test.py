"""usage: answer_transports_test.py <program> <version>: `fairlead answer` with TLS, proxies, HTTP, the gateway, and its options."""
import json
import os
import re
import subprocess
from pathlib import Path

import fake_responses_api as api
from answer_fixture import KEY, PLAIN, PROGRAM, VERSION, AnswerTest, run_tests


class Transports(AnswerTest):
    def secure(self, *turns):
        certificate = api.make_certificates(self.home)
        return self.endpoint(*turns, certificate=certificate)

    def test_accepts_a_trusted_authority(self):
        endpoint = self.secure(PLAIN)
        self.environment["SSL_CERT_FILE"] = str(self.home / "ca.pem")
        self.assertIn("404", self.answer()["answer"])
        self.assertEqual(len(endpoint.seen), 1)

    def test_rejects_an_untrusted_authority(self):
        endpoint = self.secure(PLAIN)
        self.assertRegex(self.failure(), "certificate")
        self.assertEqual(endpoint.seen, [], "the key has gone nowhere")

    def test_rejects_a_certificate_for_another_name(self):
        endpoint = self.secure(PLAIN)
        self.environment["SSL_CERT_FILE"] = str(self.home / "ca.pem")
        self.environment["OPENAI_BASE_URL"] = f"https://127.0.0.1:{endpoint.port}/v1"
        self.assertTrue(self.failure())
        self.assertEqual(endpoint.seen, [])

    def test_cancels_over_tls(self):
        endpoint = self.secure(api.HOLD)
        self.environment["SSL_CERT_FILE"] = str(self.home / "ca.pem")
        self.cancelled(endpoint)

    def test_uses_the_proxy_of_the_environment(self):
        proxy = self.endpoint(PLAIN)
        self.environment |= {"OPENAI_BASE_URL": "http://api.invalid/v1", "http_proxy": f"http://127.0.0.1:{proxy.port}"}
        self.assertIn("404", self.answer()["answer"])
        self.assertEqual(proxy.seen[0][0], "http://api.invalid/v1/responses")

    def test_warns_when_the_key_is_sent_unencrypted(self):
        done = self.run_it("answer", OPENAI_BASE_URL="http://api.invalid/v1")
        self.assertIn("the API key is sent to api.invalid unencrypted", done.stderr)

    def test_serves_over_http(self):
        self.endpoint(PLAIN)
        serving = subprocess.Popen([PROGRAM, "answer", "--http", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True,
                                   env=os.environ | self.environment)
        self.addCleanup(serving.stderr.close)
        self.addCleanup(serving.wait)
        self.addCleanup(serving.terminate)
        url = re.search(r"http://\S+", serving.stderr.readline()).group()
        for era in ("handshake", "stateless"):
            done = self.run_it("call", "answer", "query=What is 404?", "--era", era, url)
            self.assertIn("404 means", json.loads(done.stdout)["answer"])

    def test_can_be_called_from_the_command_line(self):
        self.endpoint(PLAIN)
        done = self.run_it("call", "answer", "query=What is 404?", "max_results=2", "--", PROGRAM, "answer")
        self.assertIn("404 means", json.loads(done.stdout)["answer"])
        done = self.run_it("smoke", "--", PROGRAM, "answer")
        self.assertIn("answer", done.stdout)


class Gateway(AnswerTest):
    def serve(self, text):
        path = self.home / "servers.yaml"
        path.write_text(text, encoding="utf-8")
        environment = {name: value for name, value in self.environment.items() if name != "OPENAI_API_KEY"}
        serving = subprocess.Popen([PROGRAM, "serve", "-c", str(path), "--port", "0", "--debug"], stderr=subprocess.PIPE,
                                   text=True, env=os.environ | environment, cwd=self.home)
        self.addCleanup(serving.stderr.close)
        self.addCleanup(serving.wait)
        self.addCleanup(serving.terminate)
        printed = ""
        while not (found := re.search(r"http://\S+/mcp", printed)):
            line = serving.stderr.readline()
            self.assertTrue(line, printed)
            printed += line
        return serving, found.group()

    def test_a_gateway_passes_its_key_to_no_other_server(self):
        endpoint = self.endpoint(PLAIN)
        (self.home / "openai.env").write_text(f"OPENAI_API_KEY={KEY}\n", encoding="utf-8")
        serving, url = self.serve(f"""
servers:
  answer:
    command: [{PROGRAM}, answer]
    env_file: openai.env
  other:
    command: [sh, -c, "env > other.txt; exec {PROGRAM} demo"]
""")
        self.assertIn("404 means", json.loads(self.run_it("call", "answer", "query=404?", url).stdout)["answer"])
        self.assertEqual(self.run_it("call", "echo", "text=hi", url).stdout, "hi\n")
        self.assertEqual(endpoint.seen[0][1]["Authorization"], f"Bearer {KEY}")
        self.assertNotIn(KEY, (self.home / "other.txt").read_text())
        self.assertIn("query is required", self.run_it("call", "answer", "--args", "{}", url, code=1).stderr)
        serving.terminate()
        self.assertNotIn(KEY, serving.stderr.read())

    def test_the_example_is_a_valid_configuration(self):
        secrets = self.home / ".config/fairlead/openai.env"
        secrets.parent.mkdir(parents=True)
        secrets.write_text(f"OPENAI_API_KEY={KEY}\n", encoding="utf-8")
        example = Path(__file__).resolve().parents[2] / "examples" / "answer.yaml"
        (self.home / "fairlead").symlink_to(PROGRAM)
        checked = self.run_it("check", "--offline", example, PATH=f"{self.home}:{os.environ['PATH']}").stdout
        self.assertRegex(checked, r": ok\n")


class Options(AnswerTest):
    def shown(self, *options, **environment):
        done = self.run_it("answer", "--show-config", *options, **environment)
        self.assertEqual(done.stdout, "")
        return json.loads(done.stderr)

    def test_show_config_prints_values_and_sources_to_stderr(self):
        path = self.config("request: {max_retries: 5}\nserver: {debug: true}\n")
        shown = self.shown("--config", path, MODEL_ANSWER="gpt-5")
        self.assertEqual(shown["version"], VERSION)
        self.assertEqual(shown["sources"], {"ts_defaults": True, "yaml": path, "env": ["MODEL_ANSWER"], "cli": ["--config"]})
        self.assertEqual(shown["effective"]["model_profiles"]["answer"]["model"], "gpt-5")
        self.assertEqual(shown["effective"]["request"], {"timeout_ms": 300000, "max_retries": 5})
        self.assertIs(shown["effective"]["server"]["debug"], True)

    def test_command_line_overrides_environment_overrides_file(self):
        path = self.config("server: {debug: true}\n")
        for options, environment, debug in (((), {}, True), ((), {"DEBUG": "0"}, False), (["--debug"], {"DEBUG": "0"}, True),
                                            (["--debug=off"], {"DEBUG": "1"}, False)):
            shown = self.shown("--config", path, *options, **environment)
            self.assertIs(shown["effective"]["server"]["debug"], debug, (options, environment))

    def test_the_default_file_is_optional(self):
        self.assertIsNone(self.shown()["sources"]["yaml"])
        folder = self.home / ".config/openai-responses-mcp"
        folder.mkdir(parents=True)
        (folder / "config.yaml").write_text("policy: {max_citations: 9}\n")
        self.assertEqual(self.shown()["effective"]["policy"]["max_citations"], 9)

    def test_show_config_with_stdio_also_serves(self):
        done = self.run_it("answer", "--show-config", "--stdio", stdin='{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        self.assertEqual(done.stdout, '{"jsonrpc":"2.0","id":1,"result":{}}\n')
        self.assertIn('"effective"', done.stderr)
        path = self.config("server: {show_config_on_start: true}\n")
        self.assertIn('"effective"', self.run_it("answer", "--config", path).stderr)

    def test_an_invalid_file_prevents_the_start(self):
        for text, expected in (("model_profiles: {answer: {reasoning_effort: huge}}\n", "reasoning_effort"),
                           ("server: {transport: http}\n", "server.transport"), ("a: [\n", "config.yaml")):
            done = self.run_it("answer", "--config", self.config(text), code=1)
            self.assertEqual(done.stdout, "")
            self.assertIn(expected, done.stderr)

    def test_a_missing_file_is_only_a_warning(self):
        done = self.run_it("answer", "--config", "nowhere.yaml")
        self.assertIn("file nowhere.yaml not found", done.stderr)

    def test_prints_its_version_and_rejects_unknown_arguments(self):
        for option in ("--version", "-v"):
            self.assertEqual(self.run_it("answer", option).stdout, f"openai-responses-mcp {VERSION}\n")
        self.assertIn("takes no server command after --", self.run_it("answer", "--", "x", code=2).stderr)
        self.assertIn("needs --http", self.run_it("answer", "--workers", "2", code=2).stderr)


if __name__ == "__main__":
    run_tests()
