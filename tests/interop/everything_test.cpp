#include <fairlead/protocol/revision.hpp>

#include "interop/background_process.hpp"
#include "interop/peer.hpp"

namespace fairlead::interop::everything_test {
namespace {

using protocol::ElicitAction;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// The reference server server-everything of the handshake era, over each of its transports.
struct Everything : Peer, testing::WithParamInterface<std::string_view> {
  Client everything() {
    const std::string endpoint(GetParam());
    if (endpoint == "stdio") return npm("server-everything");
    if (!background) {
      const int port = free_port();
      environment["PORT"] = std::to_string(port);
      const auto script = packages() / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js";
      background.emplace(std::vector<std::string>{node(), script, endpoint}, port, environment);
      url = "http://127.0.0.1:" + std::to_string(port) + (endpoint == "sse" ? "/sse" : "/mcp");
    }
    return connect(url, options);
  }

  void add_declining_handlers() {
    options.on_elicit = [](const protocol::ElicitFormParams&) { return accepted(R"({"name":"Ann"})"); };
    options.on_elicit_url = [this](const protocol::ElicitUrlParams& page) {
      received.add(page.url);
      return protocol::ElicitResult{.action = ElicitAction::accept};
    };
    options.on_create_message =
        [](const protocol::CreateMessageParams& params) -> Result<protocol::CreateMessageResult> {
      return model_says("about " + std::to_string(params.maxTokens));
    };
    options.roots = {protocol::Root{.uri = "file:///tmp/one", .name = "One"}};
  }

  std::optional<Background> background;
  std::string url;
};

TEST_P(Everything, InitializesAfterDiscoverIsUnknown) {
  auto server = everything();
  const auto description = server.server();
  EXPECT_EQ(description.info.name, "mcp-servers/everything");
  EXPECT_EQ(description.revision->name, "2025-11-25");
  EXPECT_THAT(description.instructions.value_or(""), HasSubstr("Everything"));
  server.ping();
}

TEST_P(Everything, SpeaksEveryRevisionOfTheHandshake) {
  for (const auto* revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    options.revision = revision;
    auto server = everything();
    EXPECT_EQ(server.call<std::string>("echo", {{"message", "hello"}}), "Echo: hello");
    EXPECT_EQ(server.server().revision->name, revision);
  }
}

TEST_P(Everything, ListsEverything) {
  auto server = everything();
  EXPECT_THAT(names(server.tools()), AllOf(Contains("echo"), Contains("get-sum"), Contains("get-tiny-image")));
  EXPECT_THAT(names(server.resources()), Contains("architecture.md"));
  EXPECT_THAT(names(server.resource_templates()), ElementsAre("Dynamic Text Resource", "Dynamic Blob Resource"));
  EXPECT_THAT(names(server.prompts()),
              ElementsAre("simple-prompt", "args-prompt", "completable-prompt", "resource-prompt"));
}

TEST_P(Everything, ReturnsEveryContentType) {
  auto server = everything();
  const auto image = server.call("get-tiny-image");
  EXPECT_EQ(std::get<protocol::ImageContent>(image.content.at(1)).mimeType, "image/png");
  const auto links = server.call("get-resource-links", {{"count", 2}});
  EXPECT_THAT(std::get<protocol::ResourceLink>(links.content.at(1)).uri, StartsWith("demo://resource/dynamic/"));
  const auto reference = server.call("get-resource-reference", {{"resourceType", "Blob"}, {"resourceId", 2}});
  const auto& embedded = std::get<protocol::EmbeddedResource>(reference.content.at(1));
  EXPECT_EQ(std::get<protocol::BlobResourceContents>(embedded.resource).uri, "demo://resource/dynamic/blob/2");
  const auto message = server.call("get-annotated-message", {{"messageType", "error"}, {"includeImage", true}});
  EXPECT_EQ(std::get<protocol::TextContent>(message.content.at(0)).annotations->priority, 1.0);
}

TEST_P(Everything, ReturnsStructuredContentThatMatchesItsSchema) {
  struct Weather {
    double temperature = 0;
    std::string conditions;
    double humidity = 0;
  };
  options.validate_results = client::ResultValidation::always;
  auto server = everything();
  EXPECT_EQ(server.call<Weather>("get-structured-content", {{"location", "Chicago"}}).temperature, 36);
}

TEST_P(Everything, RejectsWrongArgumentsAndUnknownTools) {
  auto server = everything();
  const auto wrong = server.wait(server.async().call<std::string>("get-sum", {{"a", "one"}}));
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("-32602"));
  EXPECT_FALSE(server.wait(server.async().call<std::string>("no-such-tool")));
}

TEST_P(Everything, ReceivesOurEnvironment) {
  environment["FAIRLEAD_SAYS"] = "hello there";
  EXPECT_THAT(everything().call<std::string>("get-env"), HasSubstr("hello there"));
}

TEST_P(Everything, ReportsProgress) {
  auto server = everything();
  CallOptions call;
  call.on_progress = [&](const protocol::ProgressParams& at) {
    received.add(std::to_string(static_cast<int>(at.progress)));
  };
  server.call("trigger-long-running-operation", {{"duration", 1}, {"steps", 4}}, call);
  EXPECT_THAT(received.first(4), ElementsAre("1", "2", "3", "4"));
}

TEST_P(Everything, ReceivesCancellation) {
  auto server = everything();
  std::stop_source stop;
  CallOptions call;
  call.on_progress = [&](const protocol::ProgressParams&) { stop.request_stop(); };
  const Arguments arguments{{"duration", 300}, {"steps", 3000}};
  const auto result =
      server.wait(server.async().call("trigger-long-running-operation", arguments, call), stop.get_token());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::cancelled);
  EXPECT_EQ(server.call<std::string>("echo", {{"message", "next"}}), "Echo: next");
}

TEST_P(Everything, TimesOut) {
  auto server = everything();
  server.ping();
  CallOptions call;
  call.timeouts = session::Timeouts{.idle = std::chrono::milliseconds{300}};
  const Arguments arguments{{"duration", 300}, {"steps", 1}};
  const auto result = server.wait(server.async().call("trigger-long-running-operation", arguments, call));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::timeout);
  server.ping();
}

TEST_P(Everything, RespectsTheLogLevel) {
  options.on_log = [this](const protocol::LoggingMessageParams& log_params) {
    received.add(std::string(log_params.data.text()));
  };
  auto server = everything();
  server.set_log_level(protocol::LoggingLevel::debug);
  server.call("toggle-simulated-logging");
  EXPECT_THAT(received.first(1), Contains(HasSubstr("message")));
}

TEST_P(Everything, NotifiesResourceSubscribers) {
  options.on_resource_updated = [this](const std::string& uri) { received.add(uri); };
  auto server = everything();
  server.subscribe("demo://resource/dynamic/text/1");
  server.subscribe("demo://resource/dynamic/text/2");
  server.unsubscribe("demo://resource/dynamic/text/2");
  server.call("toggle-subscriber-updates");
  EXPECT_THAT(received.first(1), Each("demo://resource/dynamic/text/1"));
}

TEST_P(Everything, NotifiesListChanges) {
  options.on_list_changed = [this](client::ChangedList list) {
    if (list == client::ChangedList::resources) received.add("resources");
  };
  auto server = everything();
  const Arguments arguments{{"name", "a.gz"}, {"data", "data:text/plain,hello"}, {"outputType", "resourceLink"}};
  const auto made = server.call("gzip-file-as-resource", arguments);
  received.first(1);
  const auto& link = std::get<protocol::ResourceLink>(made.content.front());
  EXPECT_THAT(names(server.resources()), Contains("a.gz"));
  EXPECT_THAT(contents_of(server.read(link.uri)), StartsWith("H4sI"));
}

TEST_P(Everything, ReadsResources) {
  auto server = everything();
  EXPECT_THAT(contents_of(server.read("demo://resource/dynamic/text/7")), StartsWith("Resource 7"));
  EXPECT_THAT(contents_of(server.read("demo://resource/static/document/features.md")), HasSubstr("#"));
  const auto missing = server.wait(server.async().read("demo://resource/none"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::refused);
}

TEST_P(Everything, GetsPrompts) {
  auto server = everything();
  EXPECT_EQ(text_of(server.prompt("args-prompt", {{"city", "Rome"}}).messages.front()), "What's weather in Rome?");
  const auto embedding = server.prompt("resource-prompt", {{"resourceType", "Text"}, {"resourceId", "3"}});
  const auto& resource = std::get<protocol::EmbeddedResource>(embedding.messages.at(1).content).resource;
  EXPECT_EQ(std::get<protocol::TextResourceContents>(resource).uri, "demo://resource/dynamic/text/3");
  EXPECT_FALSE(server.wait(server.async().prompt("args-prompt")));
}

TEST_P(Everything, CompletesWithContext) {
  auto server = everything();
  const protocol::PromptReference prompt{.name = "completable-prompt"};
  EXPECT_THAT(server.complete(prompt, "department", "S").values, ElementsAre("Sales", "Support"));
  EXPECT_THAT(server.complete(prompt, "name", "", {{"department", "Sales"}}).values,
              ElementsAre("David", "Eve", "Frank"));
  const protocol::ResourceReference resource{.uri = "demo://resource/dynamic/text/{resourceId}"};
  EXPECT_THAT(server.complete(resource, "resourceId", "12").values, ElementsAre("12"));
}

TEST_P(Everything, HidesElicitationToolsWithoutTheCapability) {
  EXPECT_THAT(names(everything().tools()), Each(Not(StartsWith("trigger-sampling"))));
}

TEST_P(Everything, ElicitsWithDefaults) {
  add_declining_handlers();
  const auto log_params = everything().call<std::string>("trigger-elicitation-request");
  EXPECT_THAT(log_params, AllOf(HasSubstr("- Name: Ann"), HasSubstr("Favorite Integer: 42"), HasSubstr("hero-1")));
}

TEST_P(Everything, ElicitationMayBeDeclinedOrCancelled) {
  options.on_elicit = [](const protocol::ElicitFormParams&) {
    return protocol::ElicitResult{.action = ElicitAction::decline};
  };
  EXPECT_THAT(everything().call<std::string>("trigger-elicitation-request"), HasSubstr("declined"));
  options.on_elicit = [](const protocol::ElicitFormParams&) {
    return protocol::ElicitResult{.action = ElicitAction::cancel};
  };
  EXPECT_THAT(everything().call<std::string>("trigger-elicitation-request"), HasSubstr("cancelled"));
}

TEST_P(Everything, ElicitsAUrl) {
  add_declining_handlers();
  auto server = everything();
  const auto log_params = server.call<std::string>("trigger-url-elicitation", {{"url", "https://example.com/x"}});
  EXPECT_THAT(log_params, HasSubstr("User completed"));
  EXPECT_THAT(received.first(1), ElementsAre("https://example.com/x"));
}

TEST_P(Everything, RequiresUrlElicitationByError) {
  add_declining_handlers();
  auto server = everything();
  const Arguments arguments{{"url", "https://example.com/x"}, {"errorPath", true}};
  const auto refused = server.wait(server.async().call("trigger-url-elicitation", arguments));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, -32042);
  EXPECT_THAT(refused.error().data, HasSubstr("https://modelcontextprotocol.io"));
}

TEST_P(Everything, RequestsSampling) {
  add_declining_handlers();
  const auto log_params =
      everything().call<std::string>("trigger-sampling-request", {{"prompt", "Why?"}, {"maxTokens", 17}});
  EXPECT_THAT(log_params, HasSubstr("about 17"));
}

TEST_P(Everything, RequestsRootsAgainAfterAChange) {
  add_declining_handlers();
  options.on_log = [this](const protocol::LoggingMessageParams& log_params) {
    received.add(std::string(log_params.data.text()));
  };
  auto server = everything();
  EXPECT_THAT(server.call<std::string>("get-roots-list"), HasSubstr("file:///tmp/one"));
  server.set_roots({protocol::Root{.uri = "file:///tmp/two"}, protocol::Root{.uri = "file:///tmp/three"}});
  EXPECT_THAT(received.first(2), Contains(HasSubstr("2 root(s)")));
  EXPECT_THAT(server.call<std::string>("get-roots-list"), HasSubstr("file:///tmp/three"));
}

// Our client has no functions for the tasks of 2025-11-25; plain requests reach them.
TEST_P(Everything, TasksAreReachableByPlainRequests) {
  struct Created {
    struct {
      std::string taskId;  // NOLINT(readability-identifier-naming): as on the wire.
      std::string status;
    } task;
  };
  auto server = everything();
  const auto started = server.request(
      "tools/call", parsed(R"({"name":"simulate-research-query","arguments":{"topic":"x"},"task":{"ttl":60000}})"));
  const auto id = json::decode<Created>(started).value().task.taskId;
  const auto which = parsed(R"({"taskId":)" + json::encode(id) + "}");
  EXPECT_THAT(std::string(server.request("tasks/get", which).text()), HasSubstr("working"));
  EXPECT_THAT(std::string(server.request("tasks/list", parsed("{}")).text()), HasSubstr(id));
  EXPECT_THAT(std::string(server.request("tasks/result", which).text()), HasSubstr("Research Report"));
}

INSTANTIATE_TEST_SUITE_P(EveryTransport, Everything, testing::Values("stdio", "streamableHttp", "sse"),
                         [](const auto& endpoint) { return std::string(endpoint.param); });

}  // namespace
}  // namespace fairlead::interop::everything_test
