#include <fairlead/protocol/revision.hpp>

#include "interop/peer.hpp"

namespace fairlead::interop::v2_server_test {
namespace {

using client::EraPreference;
using protocol::ElicitAction;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

/// v2_server.mjs with every feature, tested in both eras.
struct V2Server : Peer, testing::WithParamInterface<EraPreference> {
  V2Server() { options.era = GetParam(); }

  Client server(std::vector<std::string> arguments = {}) {
    return run(fs::path(FAIRLEAD_INTEROP) / "v2_server.mjs", std::move(arguments));
  }

  void fill_in(std::string content) {
    options.on_elicit = [content](const protocol::ElicitFormParams&) { return accepted(content); };
  }
};

TEST_P(V2Server, SendsItsInfo) {
  auto v2 = server();
  const auto description = v2.server();
  EXPECT_EQ(description.info.name, "v2");
  EXPECT_EQ(description.instructions, "Be brief.");
  EXPECT_EQ(description.revision->name, GetParam() == EraPreference::handshake ? "2025-11-25" : "2026-07-28");
  v2.ping();
}

TEST_P(V2Server, ReturnsTextImagesAndStructuredContent) {
  struct Sum {
    double total = 0;
  };
  options.validate_results = client::ResultValidation::always;
  auto v2 = server();
  EXPECT_EQ(v2.call<std::string>("echo", {{"text", "Grüße"}}), "Grüße");
  EXPECT_EQ(v2.call<Sum>("sum", {{"a", 1.5}, {"b", 2}}).total, 3.5);
  EXPECT_EQ(std::get<protocol::ImageContent>(v2.call("picture").content.front()).mimeType, "image/png");
}

TEST_P(V2Server, DistinguishesFailures) {
  auto v2 = server();
  EXPECT_EQ(v2.call("fail").isError, true);
  EXPECT_EQ(v2.call("sum", {{"a", "one"}}).isError, true);
  const auto unknown = v2.wait(v2.async().call("no_such_tool"));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::refused);
  const auto missing = v2.wait(v2.async().read("note://none"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::refused);
}

TEST_P(V2Server, ListsReadsGetsAndCompletes) {
  auto v2 = server();
  EXPECT_THAT(names(v2.tools()), AllOf(Contains("echo"), Contains("deploy")));
  EXPECT_THAT(names(v2.resources()), ElementsAre("note"));
  EXPECT_EQ(v2.resource_templates().at(0).uriTemplate, "about://{what}");
  EXPECT_EQ(contents_of(v2.read("about://tea")), "about tea");
  EXPECT_THAT(names(v2.prompts()), ElementsAre("greeting"));
  EXPECT_EQ(text_of(v2.prompt("greeting", {{"name", "Ann"}}).messages.front()), "Hello Ann");
  EXPECT_THAT(v2.complete(protocol::PromptReference{.name = "greeting"}, "name", "An").values,
              ElementsAre("Ann", "Anna"));
  EXPECT_THAT(v2.complete(protocol::ResourceReference{.uri = "about://{what}"}, "what", "tea").values,
              ElementsAre("tea!"));
}

TEST_P(V2Server, ReportsProgress) {
  auto v2 = server();
  CallOptions call;
  call.on_progress = [&](const protocol::ProgressParams& at) {
    received.add(std::to_string(static_cast<int>(at.progress)));
  };
  v2.call("steps", {}, call);
  EXPECT_THAT(received.first(3), ElementsAre("1", "2", "3"));
}

TEST_P(V2Server, ReceivesCancellation) {
  auto v2 = server();
  v2.call("cancelled");
  CallOptions call;
  call.timeouts = session::Timeouts{.idle = std::chrono::milliseconds{300}};
  const auto late = v2.wait(v2.async().call("sleep", {}, call));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().kind, ErrorKind::timeout);
  EXPECT_EQ(v2.call<std::string>("cancelled"), "1");
}

TEST_P(V2Server, RespectsTheLogLevel) {
  options.on_log = [this](const protocol::LoggingMessageParams& log_params) {
    received.add(std::string(log_params.data.text()));
  };
  auto v2 = server();
  v2.set_log_level(protocol::LoggingLevel::warning);
  v2.call("say");
  v2.set_log_level(protocol::LoggingLevel::debug);
  v2.call("say");
  EXPECT_THAT(received.first(3), ElementsAre(R"({"careful":true})", R"("by the way")", R"({"careful":true})"));
}

TEST_P(V2Server, Elicits) {
  fill_in(R"({"name":"Ann"})");
  EXPECT_EQ(server().call<std::string>("greet"), "Hello, Ann!");
  options.on_elicit = [](const protocol::ElicitFormParams&) {
    return protocol::ElicitResult{.action = ElicitAction::decline};
  };
  EXPECT_EQ(server().call<std::string>("greet"), "You chose to decline");
}

TEST_P(V2Server, ElicitsUrl) {
  options.on_elicit_url = [this](const protocol::ElicitUrlParams& page) {
    received.add(page.url);
    return protocol::ElicitResult{.action = ElicitAction::accept};
  };
  EXPECT_EQ(server().call<std::string>("visit"), "They said accept");
  EXPECT_THAT(received.first(1), ElementsAre("https://example.com/in"));
}

TEST_P(V2Server, RequestsSamplingAndRootsTogether) {
  options.on_create_message = [](const protocol::CreateMessageParams&) -> Result<protocol::CreateMessageResult> {
    return model_says("Because");
  };
  options.roots = {protocol::Root{.uri = "file:///tmp/one"}};
  EXPECT_EQ(server().call<std::string>("survey"), "Because, file:///tmp/one");
}

TEST_P(V2Server, RequestsInputInRoundsAndGetsItsStateBack) {
  options.on_elicit = [](const protocol::ElicitFormParams& form) {
    return accepted(form.message == "What?" ? R"({"what":"it"})" : R"({"where":"there"})");
  };
  EXPECT_EQ(server().call<std::string>("deploy"), "Deployed it to there");
}

TEST_P(V2Server, CannotRequestUndeclaredCapabilities) {
  auto v2 = server();
  EXPECT_FALSE(v2.wait(v2.async().call<std::string>("greet")));
  EXPECT_EQ(v2.call<std::string>("echo", {{"text", "next"}}), "next");
}

TEST_P(V2Server, NotifiesSubscribers) {
  options.on_resource_updated = [this](const std::string& uri) { received.add(uri); };
  auto v2 = server();
  v2.subscribe("note://one");
  v2.call("edit");
  EXPECT_THAT(received.first(1), Each("note://one"));
  EXPECT_EQ(contents_of(v2.read("note://one")), "version 2");
  v2.unsubscribe("note://one");
  v2.call("edit");
  v2.call("echo", {{"text", "what was sent before this is here now"}});
  EXPECT_THAT(received.first(1), ElementsAre("note://one"));
}

TEST_P(V2Server, NotifiesListChanges) {
  options.on_list_changed = [this](client::ChangedList list) {
    received.add(list == client::ChangedList::tools     ? "tools"
                 : list == client::ChangedList::prompts ? "prompts"
                                                        : "resources");
  };
  auto v2 = server();
  v2.ping();
  v2.call("grow");
  EXPECT_THAT(received.first(3), UnorderedElementsAre("tools", "prompts", "resources"));
  EXPECT_THAT(names(v2.tools()), Contains("grown"));
}

INSTANTIATE_TEST_SUITE_P(BothEras, V2Server,
                         testing::Values(EraPreference::handshake, EraPreference::stateless, EraPreference::automatic),
                         [](const auto& era) {
                           return era.param == EraPreference::handshake   ? "handshake"
                                  : era.param == EraPreference::stateless ? "stateless"
                                                                          : "automatic";
                         });

struct NewestOnly : Peer {
  Client server() { return run(fs::path(FAIRLEAD_INTEROP) / "v2_server.mjs", {"--newest-only"}); }
};

TEST_F(NewestOnly, IsUsedWithoutHandshake) {
  EXPECT_EQ(server().call<std::string>("echo", {{"text", "hello"}}), "hello");
}

TEST_F(NewestOnly, RejectsAForcedHandshake) {
  options.era = EraPreference::handshake;
  try {
    server();
    FAIL() << "it was reached";
  } catch (const client::Failure& refused) {
    EXPECT_EQ(refused.error().code, -32022);
  }
}

}  // namespace
}  // namespace fairlead::interop::v2_server_test
