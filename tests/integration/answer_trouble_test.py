"""usage: answer_trouble_test.py <program> <version>: `fairlead answer` when the endpoint, the network or the user does what they should not."""
import json
import time

import responses_stand_in as api
from answer_rig import KEY, PLAIN, Answering, call_message, run_tests


class Troubles(Answering):
    def test_too_many_requests_are_asked_again(self):
        endpoint = self.endpoint(api.error(429, "slow down"), api.error(503), PLAIN)
        self.assertIn("404", self.answer()["answer"])
        self.assertEqual(len(endpoint.seen), 3)
        self.assertEqual(endpoint.bodies[0], endpoint.bodies[2])

    def test_a_pause_that_is_asked_for_is_kept(self):
        self.endpoint(api.error(429, Retry_After="2"), PLAIN)
        begin = time.monotonic()
        self.answer()
        self.assertGreaterEqual(time.monotonic() - begin, 2)

    def test_it_gives_up_after_the_last_attempt(self):
        endpoint = self.endpoint(api.error(500, "The server had an error"))
        self.environment["OPENAI_MAX_RETRIES"] = "2"
        self.assertEqual(self.failure(), "500 The server had an error; gave up after 3 attempts")
        self.assertEqual(len(endpoint.seen), 3)

    def test_what_is_refused_is_not_asked_again(self):
        endpoint = self.endpoint(api.error(404, "The model `x` does not exist"))
        self.assertEqual(self.failure(), "404 The model `x` does not exist; check openai.base_url and the model's name")
        self.assertEqual(len(endpoint.seen), 1)

    def test_debugging_tells_more_of_a_failure(self):
        self.endpoint(api.error(400, "bad request", "invalid_request_error"))
        error = self.ask(options=["--debug"])["error"]
        self.assertEqual(error["data"], {"message": "400 bad request", "status": 400, "type": "invalid_request_error",
                                         "name": "BadRequestError"})

    def test_silence_ends_with_the_time_allowed(self):
        endpoint = self.endpoint(api.HOLD)
        self.environment["OPENAI_API_TIMEOUT"] = "1500"
        self.assertEqual(self.failure(), "Request timed out after 1500ms; request.timeout_ms allows more")
        self.assertTrue(endpoint.hung_up.wait(60))
        self.assertEqual(len(endpoint.seen), 1, "a time-out is not tried again")

    def test_cancelling_closes_the_connection_and_silences_the_answer(self):
        self.cancelled(self.endpoint(api.HOLD))

    def test_cancelling_between_two_attempts_ends_the_question(self):
        endpoint = self.endpoint(api.error(500), PLAIN)
        with self.start("--config", self.config("request: {timeout_ms: 60000}\n")) as server:
            server.send(call_message(5, query="q"))
            endpoint.wait_for_request()
            server.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}')
            self.assertEqual(server.ask("ping", id=9)["id"], 9)
            self.assertEqual(server.rest(), (b"", 0))
        self.assertEqual(len(endpoint.seen), 1)

    def test_an_unknown_id_is_not_cancelled(self):
        self.endpoint(PLAIN)
        with self.start() as server:
            server.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}')
            self.assertIn("result", self.ask(server=server))

    def test_a_reply_that_is_none_is_a_failure(self):
        for content, says in ((b"<html>Bad gateway</html>", "is no JSON"), (b"", "is no JSON"), (b"[]", "is no object"),
                              (b'{"output_text":"\xff\xfe"}', "is no JSON"), (b"[" * 100_000, "is no JSON"),
                              (b'{"output":[{"type":"message","content":[{"type":"output_text","text":7}]}]}',
                               "gave no answer"),
                              (b'{"output":null,"incomplete_details":{"reason":"max_output_tokens"}}', "max_output_tokens"),
                              (b'{"error":{"message":"the model is gone"}}', "the model is gone")):
            self.endpoint((200, content, {}))
            self.assertIn(says, self.failure(), content[:40])

    def test_a_reply_that_is_cut_off_is_a_failure(self):
        self.endpoint((200, b'{"output_text":"abc', {"Content-Length": "1000", "Connection": "close"}))
        self.assertTrue(self.failure())

    def test_a_huge_reply_is_taken_up_to_a_limit(self):
        self.endpoint(api.reply(api.message("x" * 3_000_000)))
        self.assertEqual(len(self.answer()["answer"]), 3_000_000)
        self.endpoint(api.reply(api.message("x" * 17_000_000)))
        self.assertIn("16777216", self.failure())

    def test_without_a_key_it_starts_and_says_so_when_asked(self):
        endpoint = self.endpoint(PLAIN)
        self.environment["OPENAI_API_KEY"] = ""
        with self.start() as server:
            self.assertEqual(len(server.ask("tools/list")["result"]["tools"]), 3)
            self.assertEqual(self.failure(server=server), "Missing API key: set OPENAI_API_KEY")
            self.assertEqual(server.rest(), (b"", 0))
        self.assertEqual(endpoint.seen, [])

    def test_nobody_at_home_is_told_with_the_address(self):
        self.environment["OPENAI_BASE_URL"] = "http://127.0.0.1:1/v1"
        self.assertIn("127.0.0.1", self.failure())


class Secrets(Answering):
    def test_the_key_is_in_nothing_that_it_says(self):
        turns = [api.error(401, f"Incorrect API key provided: {KEY}", KEY), api.error(429, KEY), (200, KEY.encode(), {}),
                 (200, {"error": {"message": f"no such key {KEY}"}}, {}), PLAIN]
        self.endpoint(*turns)
        self.environment["OPENAI_MAX_RETRIES"] = "0"
        file = self.home / "debug.log"
        with self.start(f"--debug={file}", "--show-config", "--stdio") as server:
            heard = [self.ask(server=server) for _ in turns]
            heard.append(self.ask(server=server, query=f"Is {KEY} a good key?"))
            server.process.stdin.close()
            said = server.process.stderr.read().decode() + file.read_text()
        self.assertEqual(["result" in reply for reply in heard], [False, False, False, False, True, True])
        self.assertNotIn(KEY, json.dumps(heard[:4]))
        self.assertIn("send json=", said)
        self.assertNotIn(KEY, said)

    def test_Finding_S21_the_key_is_in_no_answer(self):
        said = f"Your key is {KEY}, and password: hunter2 is an example"
        self.endpoint(api.reply(api.message(said)))
        heard = self.ask()
        self.assertNotIn(KEY, json.dumps(heard))
        text = heard["result"]["content"][0]["text"]
        self.assertIn("Your key is [redacted], and password: hunter2 is an example", text)

    def test_Finding_S21_the_key_is_not_in_the_environment_of_the_process(self):
        self.endpoint(PLAIN)
        with self.start() as server:
            self.assertIn("result", self.ask(server=server))
            with open(f"/proc/{server.process.pid}/environ", "rb") as file:
                environment = file.read()
        self.assertIn(b"OPENAI_BASE_URL", environment)
        self.assertNotIn(KEY.encode(), environment)

    def test_the_key_is_shown_by_no_option_and_taken_from_no_file(self):
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

    def test_the_key_may_lie_in_another_variable(self):
        endpoint = self.endpoint(PLAIN)
        self.environment |= {"OPENAI_API_KEY": "", "MY_KEY": f" {KEY}\n"}
        self.answer(options=["--config", self.config("openai: {api_key_env: MY_KEY}\n")])
        self.assertEqual(endpoint.seen[0][1]["Authorization"], f"Bearer {KEY}")


if __name__ == "__main__":
    run_tests()
