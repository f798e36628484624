"""usage: answer_errors_test.py <program> <version>: `fairlead answer` with errors of the endpoint, the network and the user."""
import json
import time

import fake_responses_api as api
from answer_fixture import KEY, PLAIN, AnswerTest, call_message, run_tests


class ErrorHandling(AnswerTest):
    def test_retries_after_too_many_requests(self):
        endpoint = self.endpoint(api.error(429, "slow down"), api.error(503), PLAIN)
        self.assertIn("404", self.answer()["answer"])
        self.assertEqual(len(endpoint.seen), 3)
        self.assertEqual(endpoint.bodies[0], endpoint.bodies[2])

    def test_respects_retry_after(self):
        self.endpoint(api.error(429, Retry_After="2"), PLAIN)
        begin = time.monotonic()
        self.answer()
        self.assertGreaterEqual(time.monotonic() - begin, 2)

    def test_stops_after_the_last_attempt(self):
        endpoint = self.endpoint(api.error(500, "The server had an error"))
        self.environment["OPENAI_MAX_RETRIES"] = "2"
        self.assertEqual(self.failure(), "500 The server had an error; gave up after 3 attempts")
        self.assertEqual(len(endpoint.seen), 3)

    def test_does_not_retry_client_errors(self):
        endpoint = self.endpoint(api.error(404, "The model `x` does not exist"))
        self.assertEqual(self.failure(), "404 The model `x` does not exist; check openai.base_url and the model's name")
        self.assertEqual(len(endpoint.seen), 1)

    def test_debug_shows_details_of_a_failure(self):
        self.endpoint(api.error(400, "bad request", "invalid_request_error"))
        error = self.ask(options=["--debug"])["error"]
        self.assertEqual(error["data"], {"message": "400 bad request", "status": 400, "type": "invalid_request_error",
                                         "name": "BadRequestError"})

    def test_times_out_when_the_endpoint_is_silent(self):
        endpoint = self.endpoint(api.HOLD)
        self.environment["OPENAI_API_TIMEOUT"] = "1500"
        self.assertEqual(self.failure(), "Request timed out after 1500ms; raise request.timeout_ms")
        self.assertTrue(endpoint.hung_up.wait(60))
        self.assertEqual(len(endpoint.seen), 1, "a time-out is not tried again")

    def test_cancelling_closes_the_connection_without_a_response(self):
        self.cancelled(self.endpoint(api.HOLD))

    def test_cancelling_stops_the_retries(self):
        endpoint = self.endpoint(api.error(500), PLAIN)
        with self.start("--config", self.config("request: {timeout_ms: 60000}\n")) as server:
            server.send(call_message(5, query="q"))
            endpoint.wait_for_request()
            server.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}')
            self.assertEqual(server.request("ping", id=9)["id"], 9)
            self.assertEqual(server.rest(), (b"", 0))
        self.assertEqual(len(endpoint.seen), 1)

    def test_ignores_cancellation_of_an_unknown_id(self):
        self.endpoint(PLAIN)
        with self.start() as server:
            server.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}')
            self.assertIn("result", self.ask(server=server))

    def test_fails_on_a_malformed_reply(self):
        for content, expected in ((b"<html>Bad gateway</html>", "is not valid JSON"), (b"", "is not valid JSON"), (b"[]", "is not an object"),
                              (b'{"output_text":"\xff\xfe"}', "is not valid JSON"), (b"[" * 100_000, "is not valid JSON"),
                              (b'{"output":[{"type":"message","content":[{"type":"output_text","text":7}]}]}',
                               "returned no answer"),
                              (b'{"output":null,"incomplete_details":{"reason":"max_output_tokens"}}', "max_output_tokens"),
                              (b'{"error":{"message":"the model is gone"}}', "the model is gone")):
            self.endpoint((200, content, {}))
            self.assertIn(expected, self.failure(), content[:40])

    def test_fails_on_a_truncated_reply(self):
        self.endpoint((200, b'{"output_text":"abc', {"Content-Length": "1000", "Connection": "close"}))
        self.assertTrue(self.failure())

    def test_limits_the_size_of_a_reply(self):
        self.endpoint(api.reply(api.message("x" * 3_000_000)))
        self.assertEqual(len(self.answer()["answer"]), 3_000_000)
        self.endpoint(api.reply(api.message("x" * 17_000_000)))
        self.assertIn("16777216", self.failure())

    def test_starts_without_a_key_and_fails_on_a_question(self):
        endpoint = self.endpoint(PLAIN)
        self.environment["OPENAI_API_KEY"] = ""
        with self.start() as server:
            self.assertEqual(len(server.request("tools/list")["result"]["tools"]), 3)
            self.assertEqual(self.failure(server=server), "Missing API key: set OPENAI_API_KEY")
            self.assertEqual(server.rest(), (b"", 0))
        self.assertEqual(endpoint.seen, [])

    def test_an_unreachable_endpoint_is_named_in_the_error(self):
        self.environment["OPENAI_BASE_URL"] = "http://127.0.0.1:1/v1"
        self.assertIn("127.0.0.1", self.failure())


class Secrets(AnswerTest):
    def test_the_key_is_in_no_output(self):
        turns = [api.error(401, f"Incorrect API key provided: {KEY}", KEY), api.error(429, KEY), (200, KEY.encode(), {}),
                 (200, {"error": {"message": f"no such key {KEY}"}}, {}), PLAIN]
        self.endpoint(*turns)
        self.environment["OPENAI_MAX_RETRIES"] = "0"
        file = self.home / "debug.log"
        with self.start(f"--debug={file}", "--show-config", "--stdio") as server:
            received = [self.ask(server=server) for _ in turns]
            received.append(self.ask(server=server, query=f"Is {KEY} a good key?"))
            server.process.stdin.close()
            printed = server.process.stderr.read().decode() + file.read_text()
        self.assertEqual(["result" in reply for reply in received], [False, False, False, False, True, True])
        self.assertNotIn(KEY, json.dumps(received[:4]))
        self.assertIn("send json=", printed)
        self.assertNotIn(KEY, printed)

    def test_Finding_S21_the_key_is_not_in_responses(self):
        printed = f"Your key is {KEY}, and password: hunter2 is an example"
        self.endpoint(api.reply(api.message(printed)))
        received = self.ask()
        self.assertNotIn(KEY, json.dumps(received))
        text = received["result"]["content"][0]["text"]
        self.assertIn("Your key is [redacted], and password: hunter2 is an example", text)

    def test_Finding_S21_the_key_is_not_in_the_environment_of_the_process(self):
        self.endpoint(PLAIN)
        with self.start() as server:
            self.assertIn("result", self.ask(server=server))
            with open(f"/proc/{server.process.pid}/environ", "rb") as file:
                environment = file.read()
        self.assertIn(b"OPENAI_BASE_URL", environment)
        self.assertNotIn(KEY.encode(), environment)

    def test_no_option_shows_the_key_and_no_file_sets_it(self):
        shown = self.run_it("answer", "--show-config", "--debug")
        self.assertNotIn(KEY, shown.stdout + shown.stderr)
        for text in (f"openai: {{api_key: {KEY}}}\n", f"openai: {{api_key_env: {KEY}}}\n"):
            done = self.run_it("answer", "--config", self.config(text), code=1)
            self.assertIn("openai.api_key", done.stderr)
            self.assertNotIn(KEY, done.stderr)

    def test_the_key_does_not_follow_a_redirect_to_another_server(self):
        elsewhere = self.endpoint(PLAIN)
        self.endpoint((307, b"", {"Location": f"{elsewhere.url}/responses"}))
        self.ask()
        self.assertEqual([KEY in str(headers) for _, headers, _ in elsewhere.seen], [False])

    def test_the_key_may_be_in_another_variable(self):
        endpoint = self.endpoint(PLAIN)
        self.environment |= {"OPENAI_API_KEY": "", "MY_KEY": f" {KEY}\n"}
        self.answer(options=["--config", self.config("openai: {api_key_env: MY_KEY}\n")])
        self.assertEqual(endpoint.seen[0][1]["Authorization"], f"Bearer {KEY}")


if __name__ == "__main__":
    run_tests()
