"""usage: answer_test.py <program> <version>: `fairlead answer` follows seed document 000, tested with a fake Responses API."""
import fake_responses_api as api
from answer_fixture import KEY, PLAIN, VERSION, AnswerTest, call_message, run_tests
from transcript import Replay


class Documents(AnswerTest):
    def replay(self, name):
        self.endpoint(api.reply(api.message("...")))
        options = ["--config", self.config("tools: [answer]\n")]
        printed = Replay(name).run(lambda _: self.start(*options, MODEL_ANSWER="gpt-5"))
        self.assertEqual(printed, (b"", 0))

    def test_S0_09_S0_12_S0_13_S0_17_S0_20_replays_seed_000_with_its_wrong_counts(self):
        self.replay("seed_000_counted")

    def test_S0_04_S0_05_S0_14_S0_16_S0_19_replays_seed_000_as_lines(self):
        self.replay("seed_000_lines")

    def test_S0_12_the_initialize_result_has_exactly_these_members(self):
        with self.start() as server:
            greeting = server.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}})["result"]
        self.assertEqual(greeting, {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                                    "serverInfo": {"name": "openai-responses-mcp", "version": VERSION}})

    def test_S0_13_S0_15_answer_is_the_first_tool_and_is_described(self):
        with self.start() as server:
            tools = server.request("tools/list", {})["result"]["tools"]
        self.assertEqual([tool["name"] for tool in tools], ["answer", "answer_detailed", "answer_quick"])
        self.assertIn("web search as needed", tools[0]["description"])
        self.assertIn("citations", tools[0]["description"])

    def test_unknown_tools_and_methods_get_the_documented_errors(self):
        with self.start() as server:
            error = self.ask(server=server, tool="guess")["error"]
            self.assertEqual((error["code"], error["message"]), (-32601, "Unknown tool"))
            error = server.request("prompts/list")["error"]
            self.assertEqual((error["code"], error["message"]), (-32601, "Unknown method"))

    def test_MCP_LINE_MODE_forces_lines(self):
        body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
        framed = f"Content-Length: {len(body)}\r\n\r\n{body}"
        self.assertTrue(self.run_it("answer", stdin=framed).stdout.startswith("Content-Length"))
        self.assertEqual(self.run_it("answer", stdin=framed, MCP_LINE_MODE="1").stdout,
                         '{"jsonrpc":"2.0","id":1,"result":{}}\n')


class Answers(AnswerTest):
    def test_S0_16_S0_18_a_question_in_japanese_is_answered_without_a_search(self):
        endpoint = self.endpoint(api.reply(api.message("ページが見つからないという意味です。")))
        self.assertEqual(self.answer("HTTP 404 の意味は？", style="summary"),
                         {"answer": "ページが見つからないという意味です。", "used_search": False, "citations": [],
                          "model": "gpt-5.5"})
        [(path, headers, body)] = endpoint.seen
        self.assertEqual(path, "/v1/responses")
        self.assertEqual(headers["Authorization"], f"Bearer {KEY}")
        self.assertEqual(headers["Content-Type"], "application/json")
        self.assertEqual(body["input"][0]["content"][0]["text"],
                         "HTTP 404 の意味は？\n[Hints] recency_days=60, max_results=5.\n"
                         "[Style] summary: answer with a short summary.")
        self.assertEqual((body["text"], body["reasoning"]), ({"verbosity": "medium"}, {"effort": "medium"}))

    def test_arguments_become_hints(self):
        endpoint = self.endpoint(PLAIN)
        self.answer("q", recency_days=7, max_results=2, domains=["a.example", "b.example"])
        self.assertEqual(endpoint.bodies[0]["input"][0]["content"][0]["text"],
                         "q\n[Hints] recency_days=7, max_results=2. domains: a.example, b.example")

    def test_reads_every_citation_format(self):
        flat = {"type": "url_citation", "url": "https://flat.example", "title": "Flat", "start_index": 0, "end_index": 3}
        nested = {"type": "url_citation", "url_citation": {"url": "https://nested.example"}}
        listed = api.search(action={"type": "search", "sources": [
            {"type": "url", "url": "https://flat.example", "published_at": "2025-03-04T05:06:07Z"},
            {"type": "url", "url": "https://not-cited.example"}, {"type": "api", "name": "oai-weather"}]})
        self.endpoint(api.reply(listed, api.message("Sunny.", [flat, nested, flat])))
        answer = self.answer("Weather?")
        today = answer["citations"][1]["published_at"]
        self.assertRegex(today, r"^\d{4}-\d\d-\d\d$")
        self.assertTrue(answer["used_search"])
        self.assertEqual(answer["citations"], [
            {"url": "https://flat.example", "title": "Flat", "published_at": "2025-03-04"},
            {"url": "https://nested.example", "published_at": today},
            {"url": "oai-weather", "title": "api", "published_at": today}])
        self.assertEqual(answer["answer"], "Sunny.\n\nSources:\n- https://flat.example (2025-03-04)\n"
                                           f"- https://nested.example ({today})\n- oai-weather ({today})")

    def test_finds_sources_in_every_place(self):
        for call, url in ((api.search(action={"sources": ["https://text.example"]}), "https://text.example"),
                          (api.search(action={"sources": [{"link": "https://l.example", "name": "L"}]}), "https://l.example"),
                          (api.search(web_search_call={"action": {"sources": ["https://n.example"]}}), "https://n.example"),
                          (api.search(sources=["https://s.example"]), "https://s.example"),
                          (api.search(action={"query": "x", "url": "see (https://h.example/p)."}), "https://h.example/p")):
            self.endpoint(api.reply(call, api.message("Yes.")))
            answer = self.answer()
            self.assertEqual([citation["url"] for citation in answer["citations"]], [url], call)
            self.assertTrue(answer["used_search"])

    def test_a_search_without_sources_is_reported_as_a_search(self):
        self.endpoint(api.reply(api.search(action={"type": "search", "query": "x"}), api.message("Unknown.")))
        self.assertEqual(self.answer(), {"answer": "Unknown.", "used_search": True, "citations": [],
                                         "model": "gpt-5.5"})

    def test_keeps_a_text_that_has_sources(self):
        text = "Yes.\n\nSources:\n- https://a.example (2025-01-01)"
        self.endpoint(api.reply(api.search(sources=["https://a.example"]), api.message(text)))
        self.assertEqual(self.answer()["answer"], text)

    def test_limits_the_number_of_citations(self):
        self.endpoint(api.reply(api.search(sources=[f"https://{n}.example" for n in range(9)]), api.message("Yes.")))
        self.assertEqual(len(self.answer()["citations"]), 3)
        self.environment["MAX_CITATIONS"] = "7"
        self.assertEqual(len(self.answer()["citations"]), 7)

    def test_prefers_output_text(self):
        self.endpoint(api.reply(api.message("long"), output_text="short"))
        self.assertEqual(self.answer()["answer"], "short")

    def test_uses_the_profile_of_the_tool_and_the_parameters_of_the_model(self):
        endpoint = self.endpoint(PLAIN)
        path = self.config("model_profiles:\n  answer: {model: o3}\n  answer_detailed: {model: gpt-5, reasoning_effort: "
                           "high}\n  answer_quick: {model: gpt-4.1-nano}\n")
        models = [self.answer(tool=tool, options=["--config", path])["model"]
                  for tool in ("answer", "answer_detailed", "answer_quick")]
        self.assertEqual(models, ["o3", "gpt-5", "gpt-4.1-nano"])
        self.assertEqual([body.get("reasoning") for body in endpoint.bodies],
                         [{"effort": "medium"}, {"effort": "high"}, None])
        self.assertEqual([body.get("text") for body in endpoint.bodies], [None, {"verbosity": "medium"}, None])

    def test_reads_the_policy_from_a_file(self):
        endpoint = self.endpoint(PLAIN)
        (self.home / "mine.md").write_text("Be kind. 親切に。", encoding="utf-8")
        path = self.config("policy: {system: {source: file, path: mine.md, merge: prepend}}\n")
        self.answer(options=["--config", path])
        self.assertTrue(endpoint.bodies[0]["instructions"].startswith("Be kind. 親切に。\n\nYou answer questions"))

    def test_runs_questions_concurrently(self):
        endpoint = self.endpoint(api.HOLD, PLAIN)
        with self.start() as server:
            server.send(call_message(1, query="slow"))
            endpoint.wait_for_request()
            self.assertIn("result", self.ask(server=server))
            endpoint.wait_for_request()

    def test_reports_progress_for_every_attempt(self):
        self.endpoint(api.error(500), PLAIN)
        with self.start() as server:
            server.send(call_message(1, progress="p", query="q"))
            received = [server.receive() for _ in range(3)]
        self.assertEqual([note["params"]["message"] for note in received[:2]], ["asking gpt-5.5", "attempt 2"])
        self.assertIn("result", received[2])


if __name__ == "__main__":
    run_tests()
