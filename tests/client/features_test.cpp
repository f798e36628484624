#include <atomic>
#include <fairlead/base/log.hpp>
#include <fairlead/client.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/server.hpp>
#include <fairlead/server/http.hpp>
#include <fairlead/session/session.hpp>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/received_messages.hpp"

namespace fairlead::client::features_test {
namespace {

using protocol::ElicitAction;
using protocol::ElicitResult;
using test::ReceivedMessages;
using testing::ElementsAre;

struct Confirm {
  bool yes = false;
  std::optional<std::string> note = "none";
};
struct Sum {
  int total = 0;
};

struct ConnectionVariant {
  EraPreference era;
  std::string_view scheme = {};  ///< Empty: a service in this process.
  std::string_view path = {};
};

void PrintTo(const ConnectionVariant& variant, std::ostream* out) {
  *out << variant.scheme << variant.path;
}

/// Runs the same tests in both eras and over every transport.
struct Features : testing::TestWithParam<ConnectionVariant> {
  Features() {
    app.tool("sum", "Adds", [](Arg<"a", int> a, Arg<"b", int> b) { return Sum{a + b}; });
    app.tool("fail", "Fails", []() -> Result<std::string> { return fairlead::fail(ErrorKind::invalid, "no luck"); });
    app.tool("steps", "Reports progress", [](Context& context) -> Task<std::string> {
      for (int step = 1; step <= 3; ++step) co_await context.progress(step, 3);
      co_return "done";
    });
    app.tool("say", "Logs", [](Context& context) -> Task<std::string> {
      co_await context.log(LoggingLevel::warning, "careful");
      co_return "said";
    });
    app.tool("confirm", "Asks", [](Context& context) -> Task<std::string> {
      auto answer = co_await context.elicit<Confirm>("Sure?");
      co_return (answer.yes ? "yes, " : "no, ") + answer.note.value_or("?");
    });
    app.tool("pay", "Sends away", [](Context& context) -> Task<std::string> {
      co_await context.elicit_url("Pay here", "https://pay.example/1");
      co_return "paid";
    });
    app.tool("think", "Samples", [](Context& context) -> Task<std::string> {
      co_return "model said " + co_await context.sample("What now?", 10);
    });
    app.tool("where", "Lists roots", [](Context& context) -> Task<std::string> {
      const auto roots = co_await context.roots();
      co_return roots.empty() ? "nowhere" : roots.front().uri;
    });
    app.resource("note://one", "one", [] { return "first"; });
    app.resource<"note://{name}">("note", [](Arg<"name", std::string> name) { return "about " + *name; });
    app.prompt("greet", "Greets", [](Arg<"name", std::string> name) { return user("Hello " + *name); });
    app.complete(protocol::PromptReference{.name = "greet"}, "name",
                 [](std::string typed) { return std::vector<std::string>{typed + "na", typed + "nn"}; });
    options.era = GetParam().era;
  }

  Client open_client() {
    if (GetParam().scheme.empty()) return connect(app, options);
    http_server.emplace(app, log, server::HttpOptions{}, session::SessionOptions{});
    EXPECT_TRUE(http_server->start());
    const auto url = http_server->url();
    return connect(std::string(GetParam().scheme) + url.substr(url.find("://")) + std::string(GetParam().path),
                   options);
  }

  /// HTTP+SSE only supports the handshake era.
  static bool uses_handshake() { return GetParam().era == EraPreference::handshake || GetParam().path == "/sse"; }

  server::Server app{"demo", "1.0"};
  NullSink log;
  std::optional<server::HttpServer> http_server;
  ClientOptions options;
  ReceivedMessages received;
};

TEST_P(Features, TypedCallsReturnTypedResults) {
  auto demo = open_client();
  EXPECT_EQ(demo.call<Sum>("sum", {{"a", 1}, {"b", 2}}).total, 3);
  EXPECT_EQ(demo.call<std::string>("sum", {{"a", 1}, {"b", 2}}), R"({"total":3})");
  EXPECT_EQ(demo.server().info.name, "demo");
  EXPECT_EQ(demo.server().revision->lifecycle == protocol::Lifecycle::handshake, uses_handshake());
}

TEST_P(Features, ArgumentsMayBeAStruct) {
  struct Two {
    int a = 0;
    int b = 0;
  };
  auto demo = open_client();
  EXPECT_EQ(demo.call<Sum>("sum", Two{4, 5}).total, 9);
}

TEST_P(Features, DistinguishesAFailedToolFromAFailedCall) {
  auto demo = open_client();
  const auto failed = demo.wait(demo.async().call<std::string>("fail"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(protocol::protocol_error_of(failed.error()), protocol::ProtocolError::tool_failed);
  EXPECT_THAT(failed.error().message, testing::HasSubstr("no luck"));
  EXPECT_EQ(demo.call("fail").isError, true);
  EXPECT_THROW(demo.call("unheard of"), Failure);
}

TEST_P(Features, ResultOfAnotherTypeIsAnErrorWithItsText) {
  auto demo = open_client();
  const auto wrong = demo.wait(demo.async().call<int>("say"));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::malformed);
  EXPECT_THAT(wrong.error().message, testing::HasSubstr("said"));
}

TEST_P(Features, FetchesAllPagesOfAList) {
  app.page_size(2);
  auto demo = open_client();
  EXPECT_EQ(demo.tools().size(), 8U);
  EXPECT_EQ(demo.resources().size(), 1U);
  EXPECT_EQ(demo.resource_templates().front().uriTemplate, "note://{name}");
  EXPECT_EQ(demo.prompts().front().name, "greet");
}

TEST_P(Features, ResourcesAndPromptsAndCompletions) {
  auto demo = open_client();
  EXPECT_EQ(std::get<protocol::TextResourceContents>(demo.read("note://moon").contents.front()).text, "about moon");
  const auto prompt = demo.prompt("greet", {{"name", "Ann"}});
  EXPECT_EQ(std::get<protocol::TextContent>(prompt.messages.front().content).text, "Hello Ann");
  EXPECT_THAT(demo.complete(protocol::PromptReference{.name = "greet"}, "name", "A").values, ElementsAre("Ana", "Ann"));
  demo.ping();
}

TEST_P(Features, ProgressReachesTheCaller) {
  auto demo = open_client();
  CallOptions call;
  call.on_progress = [&](const protocol::ProgressParams& at) {
    received.add(std::to_string(static_cast<int>(at.progress)));
  };
  EXPECT_EQ(demo.call<std::string>("steps", {}, call), "done");
  EXPECT_THAT(received.first(3), ElementsAre("1", "2", "3"));
}

TEST_P(Features, LogMessagesFollowTheLevel) {
  options.on_log = [&](const protocol::LoggingMessageParams& log_params) {
    received.add(std::string(log_params.data.text()));
  };
  auto demo = open_client();
  demo.set_log_level(protocol::LoggingLevel::error);
  demo.call("say");
  demo.set_log_level(protocol::LoggingLevel::info);
  demo.call("say");
  demo.ping();
  EXPECT_THAT(received.first(1), ElementsAre(R"("careful")"));
}

TEST_P(Features, ElicitHandlerMayBeABlockingFunction) {
  options.on_elicit = [](const protocol::ElicitFormParams& form) {
    EXPECT_EQ(form.message, "Sure?");
    return ElicitResult{.action = ElicitAction::accept, .content = json::Payload::trusted(R"({"yes":true})")};
  };
  auto demo = open_client();
  // Missing fields get the defaults of the form.
  EXPECT_EQ(demo.call<std::string>("confirm"), "yes, none");
}

TEST_P(Features, ElicitHandlerMayBeACoroutine) {
  options.on_elicit = [](protocol::ElicitFormParams) -> Task<ElicitResult> {
    co_return ElicitResult{.action = ElicitAction::decline};
  };
  auto demo = open_client();
  EXPECT_EQ(demo.call("confirm").isError, true);
}

TEST_P(Features, RejectsAnElicitResultThatViolatesTheForm) {
  options.on_elicit = [](const protocol::ElicitFormParams&) {
    return ElicitResult{.action = ElicitAction::accept, .content = json::Payload::trusted(R"({"yes":"perhaps"})")};
  };
  auto demo = open_client();
  EXPECT_FALSE(demo.wait(demo.async().call<std::string>("confirm")));
}

TEST_P(Features, CallsTheUrlElicitationHandler) {
  options.on_elicit_url = [&](const protocol::ElicitUrlParams& page) {
    received.add(page.url);
    return ElicitResult{.action = ElicitAction::accept};
  };
  auto demo = open_client();
  EXPECT_EQ(demo.call<std::string>("pay"), "paid");
  EXPECT_THAT(received.first(1), ElementsAre("https://pay.example/1"));
}

TEST_P(Features, CallsTheCreateMessageHandler) {
  options.on_create_message =
      [](const protocol::CreateMessageParams& request) -> Result<protocol::CreateMessageResult> {
    EXPECT_EQ(request.maxTokens, 10);
    protocol::CreateMessageResult answer;
    answer.content.blocks.emplace_back(protocol::TextContent{.text = "rest"});
    answer.model = "m";
    return answer;
  };
  auto demo = open_client();
  EXPECT_EQ(demo.call<std::string>("think"), "model said rest");
}

TEST_P(Features, AnswersRootsListAndReportsChanges) {
  options.roots = {protocol::Root{.uri = "file:///a"}};
  auto demo = open_client();
  EXPECT_EQ(demo.call<std::string>("where"), "file:///a");
  demo.set_roots({protocol::Root{.uri = "file:///b"}});
  EXPECT_EQ(demo.call<std::string>("where"), "file:///b");
}

TEST_P(Features, ServerDoesNotUseUndeclaredCapabilities) {
  auto demo = open_client();
  for (const auto* tool : {"confirm", "pay", "think", "where"}) {
    const auto answer = demo.wait(demo.async().call<std::string>(tool));
    EXPECT_FALSE(answer) << tool;
  }
}

TEST_P(Features, ReportsUpdatesOfASubscribedResource) {
  options.on_resource_updated = [&](const std::string& uri) { received.add(uri); };
  auto demo = open_client();
  demo.subscribe("note://one");
  app.resource_updated("note://two");
  app.resource_updated("note://one");
  EXPECT_THAT(received.first(1), ElementsAre("note://one"));
  demo.unsubscribe("note://one");
  demo.ping();
  app.resource_updated("note://one");
  demo.ping();
  EXPECT_THAT(received.first(1), ElementsAre("note://one"));
}

TEST_P(Features, ReportsListChanges) {
  options.on_list_changed = [&](ChangedList list) { received.add(list == ChangedList::tools ? "tools" : "other"); };
  auto demo = open_client();
  // The client cannot know when its subscription is active, so it repeats the change.
  for (int i = 0; i < 100 && received.count() == 0; ++i) {
    demo.ping();
    app.tool("late" + std::to_string(i), "Comes late", [] { return "here"; });
  }
  EXPECT_EQ(received.first(1).front(), "tools");
}

TEST_P(Features, ValidatesResultsOfListedTools) {
  server::ToolOptions promise;
  promise.output_schema = json::Payload::trusted(R"({"type":"object","required":["x"]})");
  app.tool("liar", promise, [] {
    protocol::CallToolResult result;
    result.content.emplace_back(protocol::TextContent{.text = "x"});
    result.structuredContent = json::Payload::trusted(R"({"x":1})");
    return result;
  });
  auto demo = open_client();
  demo.tools();
  EXPECT_NO_THROW(demo.call("liar"));
}

INSTANTIATE_TEST_SUITE_P(EveryTransport, Features,
                         testing::Values(ConnectionVariant{EraPreference::handshake},
                                         ConnectionVariant{EraPreference::stateless},
                                         ConnectionVariant{EraPreference::automatic},
                                         ConnectionVariant{EraPreference::handshake, "http", "/mcp"},
                                         ConnectionVariant{EraPreference::automatic, "http", "/mcp"},
                                         ConnectionVariant{EraPreference::automatic, "http", "/sse"},
                                         ConnectionVariant{EraPreference::handshake, "ws", "/ws"},
                                         ConnectionVariant{EraPreference::automatic, "ws", "/ws"}),
                         [](const auto& variant) {
                           const std::string era = variant.param.era == EraPreference::handshake   ? "handshake"
                                                   : variant.param.era == EraPreference::stateless ? "stateless"
                                                                                                   : "automatic";
                           if (variant.param.scheme.empty()) return era;
                           return era + "_" + std::string(variant.param.scheme) + "_" +
                                  std::string(variant.param.path.substr(1));
                         });

}  // namespace
}  // namespace fairlead::client::features_test
