#include "answer/responses_api.hpp"

#include <fairlead/base/task_scope.hpp>
#include <gmock/gmock.h>

#include "answer/answer_fixture.hpp"

namespace fairlead::answer {
namespace {

using test::ScriptedHttpServer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr auto planted_key = "sk-planted-0123456789";

class ResponsesApiTest : public AnswerFixture {
 protected:
  using Reply = std::expected<std::string, ApiFailure>;

  ResponsesApi api(std::string key = planted_key) {
    ResponsesApi::Options options{.request = request_, .key = ApiKey(std::move(key)), .user_agent = "test/1"};
    options.endpoint.base_url = base_url();
    options.max_reply = 1000;
    options.initial_backoff = std::chrono::milliseconds{1};
    return {std::move(options), loop_.log()};
  }
  Reply create(const ResponsesApi& from) { return loop_.run(from.create(R"({"model":"m"})", counting())); }
  Reply create() { return create(api()); }

  OnAttempt counting() {
    return [this](std::int64_t attempt) { return note(attempt); };
  }
  Task<void> note(std::int64_t attempt) {
    attempts_.push_back(attempt);
    co_return;
  }

  RequestConfig request_ = {.timeout_ms = 60'000, .max_retries = 3};
  std::vector<std::int64_t> attempts_;
};

TEST_F(ResponsesApiTest, PostsTheBodyWithTheKey) {
  auto& server = endpoint(http_answer(200, R"({"ok":1})"));
  EXPECT_EQ(create(), R"({"ok":1})");
  ASSERT_THAT(server.requests(), SizeIs(1));
  const auto& request = server.requests().front();
  EXPECT_TRUE(request.starts_with("POST /v1/responses HTTP/1.1\r\n")) << request;
  EXPECT_THAT(request, HasSubstr("Authorization: Bearer sk-planted-0123456789\r\n"));
  EXPECT_THAT(request, HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(request, testing::EndsWith("\r\n\r\n{\"model\":\"m\"}"));
}

TEST_F(ResponsesApiTest, RetriesTransientErrorsAndCountsAttempts) {
  auto& server = endpoint([count = 0](const auto&, auto) mutable {
    return ++count < 3 ? http_answer(count == 1 ? 429 : 503, "{}") : http_answer(200, "done");
  });
  EXPECT_EQ(create(), "done");
  EXPECT_THAT(server.requests(), SizeIs(3));
  EXPECT_THAT(attempts_, ElementsAre(1, 2, 3));
}

TEST_F(ResponsesApiTest, GivesUpAfterTheLastRetry) {
  auto& server = endpoint(http_answer(500, R"({"error":{"message":"The server had an error","type":"server_error"}})"));
  const auto reply = create();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "500 The server had an error; gave up after 4 attempts");
  EXPECT_EQ(reply.error().status, 500);
  EXPECT_EQ(reply.error().type, "server_error");
  EXPECT_EQ(reply.error().name, "InternalServerError");
  EXPECT_THAT(server.requests(), SizeIs(4));
}

TEST_F(ResponsesApiTest, MakesOneAttemptWithoutRetries) {
  request_.max_retries = 0;
  auto& server = endpoint(http_answer(429, ""));
  EXPECT_EQ(create().error().message, "429 Too Many Requests; gave up after 1 attempt");
  EXPECT_THAT(server.requests(), SizeIs(1));
}

TEST_F(ResponsesApiTest, DoesNotRetryClientErrors) {
  auto& server = endpoint(http_answer(401, R"({"error":{"message":"Incorrect API key.","type":"auth"}})"));
  EXPECT_EQ(create().error().message, "401 Incorrect API key; check the key in OPENAI_API_KEY");
  EXPECT_THAT(server.requests(), SizeIs(1));
}

TEST_F(ResponsesApiTest, GivesUpIfRetryAfterExceedsTheDeadline) {
  auto& server = endpoint(http_answer(429, "{}", "Retry-After: 3600\r\n"));
  EXPECT_THAT(create().error().message, HasSubstr("gave up after 1 attempt, because the endpoint asks to wait 1h"));
  EXPECT_THAT(server.requests(), SizeIs(1));
}

TEST_F(ResponsesApiTest, DeadlineCoversAllAttempts) {
  request_.timeout_ms = 1000;
  auto& server = endpoint([count = 0](const auto&, auto) mutable {
    return ++count == 1 ? http_answer(503, "{}") : std::string(ScriptedHttpServer::no_response);
  });
  const auto reply = create();
  EXPECT_EQ(reply.error().message, "Request timed out after 1s; raise request.timeout_ms");
  EXPECT_EQ(reply.error().name, "APIConnectionTimeoutError");
  EXPECT_THAT(server.requests(), SizeIs(2));
}

TEST_F(ResponsesApiTest, SendsNothingWithoutAKey) {
  auto& server = endpoint(http_answer(200, "{}"));
  EXPECT_EQ(create(api("")).error().message, "Missing API key: set OPENAI_API_KEY");
  EXPECT_THAT(server.requests(), SizeIs(0));
}

TEST_F(ResponsesApiTest, DoesNotRetryAFailedConnection) {
  auto& server = endpoint("");
  EXPECT_EQ(create().error().name, "APIConnectionError");
  EXPECT_EQ(server.connections(), 1U);
}

TEST_F(ResponsesApiTest, RejectsAReplyOverTheSizeLimit) {
  endpoint(http_answer(200, std::string(1001, 'x')));
  EXPECT_EQ(create().error().name, "APIConnectionError");
}

TEST_F(ResponsesApiTest, CancellationClosesTheConnection) {
  auto& server = endpoint(std::string(ScriptedHttpServer::no_response));
  const auto from = api();
  Reply reply;
  bool ended = false;
  TaskScope scope(loop_.loop().executor, loop_.log(), "test");
  const auto keep = [](const ResponsesApi& responses, OnAttempt on_attempt, Reply* into, bool* done) -> Task<void> {
    *into = co_await responses.create("{}", std::move(on_attempt));
    *done = true;
  };
  scope.spawn(keep(from, counting(), &reply, &ended));
  loop_.run_until([&] { return !server.requests().empty(); });
  scope.cancel();
  loop_.run_until([&] { return server.ended() > 0 && ended; });
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::cancelled);
  EXPECT_THAT(attempts_, ElementsAre(1)) << "a cancelled request is not retried";
}

TEST_F(ResponsesApiTest, DoesNotLogTheKey) {
  endpoint(http_answer(401, "{}"));
  EXPECT_FALSE(create());
  EXPECT_FALSE(loop_.log().contains(planted_key));
}

}  // namespace
}  // namespace fairlead::answer
