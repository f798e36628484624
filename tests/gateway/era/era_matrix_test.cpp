#include <algorithm>
#include <fairlead/protocol/protocol_error.hpp>

#include "gateway/fixtures/in_process_gateway.hpp"

namespace fairlead::gateway::era_matrix_test {
namespace {

using client::ClientOptions;
using client::Connection;
using protocol::ElicitAction;
using protocol::ElicitResult;
using test::InProcessGateway;
using testing::ElementsAre;

struct Confirm {
  bool yes = false;
};

/// Revisions of client and server.
struct RevisionPair {
  std::string client;
  std::string server;
};

void PrintTo(const RevisionPair& cell, std::ostream* out) {
  *out << "a client of " << cell.client << " and a server of " << cell.server;
}

std::string cell_name(const testing::TestParamInfo<RevisionPair>& info) {
  auto name = "Client" + info.param.client + "Server" + info.param.server;
  std::erase(name, '-');
  return name;
}

/// Every combination must behave as without a gateway.
struct EraMatrix : testing::TestWithParam<RevisionPair> {
  EraMatrix() {
    app.tool("add", "Adds", [](Arg<"a", int> a, Arg<"b", int> b) { return a + b; });
    app.tool("steps", "Reports progress", [](Context& context) -> Task<std::string> {
      for (int step = 1; step <= 3; ++step) co_await context.progress(step, 3);
      co_return "done";
    });
    app.tool("say", "Logs", [](Context& context) -> Task<std::string> {
      co_await context.log(LoggingLevel::debug, "quietly");
      co_await context.log(LoggingLevel::warning, "careful");
      co_return "said";
    });
    app.tool("confirm", "Asks", [](Context& context) -> Task<std::string> {
      auto answer = co_await context.elicit<Confirm>("Sure?");
      co_return answer.yes ? "yes" : "no";
    });
    app.tool("twice", "Asks twice", [](Context& context) -> Task<std::string> {
      auto first = co_await context.elicit<Confirm>("Once?");
      auto second = co_await context.elicit<Confirm>("Twice?");
      co_return std::string(first.yes ? "yes" : "no") + (second.yes ? " yes" : " no");
    });
    app.tool("think", "Samples", [](Context& context) -> Task<std::string> {
      co_return "model said " + co_await context.sample("What now?", 10);
    });
    app.tool("where", "Lists roots", [](Context& context) -> Task<std::string> {
      const auto roots = co_await context.roots();
      co_return roots.empty() ? "nowhere" : roots.front().uri;
    });
    app.tool("fail", "Fails", []() -> Result<std::string> { return fairlead::fail(ErrorKind::invalid, "no luck"); });
    app.resource("note://one", "one", [] { return "first"; });
    app.prompt("greet", "Greets", [](Arg<"name", std::string> name) { return user("Hello " + *name); });
    options.on_elicit = [this](protocol::ElicitFormParams form) -> Task<ElicitResult> {
      messages.push_back(form.message);
      ElicitResult accepted{.action = ElicitAction::accept};
      accepted.content = json::Payload::trusted(R"({"yes":true})");
      co_return accepted;
    };
    options.on_create_message = [](protocol::CreateMessageParams) -> Task<protocol::CreateMessageResult> {
      protocol::CreateMessageResult sampled;
      sampled.role = protocol::Role::assistant;
      sampled.model = "m";
      sampled.content.blocks.emplace_back(protocol::TextContent{.text = "wait"});
      co_return sampled;
    };
    options.roots = {protocol::Root{.uri = "file:///home"}};
  }

  void run_session(test::Body body) {
    InProcessGateway rig(app, GetParam().server);
    rig.run(GetParam().client, options, std::move(body));
  }

  static Task<Result<void>> expect_text(Connection& server, std::string tool, std::string text) {
    auto result = co_await server.call<std::string>(std::move(tool));
    EXPECT_TRUE(result) << result.error().message;
    EXPECT_EQ(result.value_or(""), text);
    co_return Result<void>();
  }

  server::Server app{"behind", "1.0"};
  ClientOptions options;
  std::vector<std::string> messages;
};

TEST_P(EraMatrix, DescribesTheServer) {
  run_session([](Connection& server) -> Task<Result<void>> {
    EXPECT_EQ(server.server().info.name, "behind");
    EXPECT_TRUE(server.server().capabilities.tools);
    co_return Result<void>();
  });
}

TEST_P(EraMatrix, Complaint_24_ListsAndCallsTools) {
  run_session([](Connection& server) -> Task<Result<void>> {
    auto tools = co_await server.tools();
    EXPECT_TRUE(tools && tools->size() == 8);
    client::Arguments arguments{{"a", 1}, {"b", 2}};
    auto sum = co_await server.call<int>("add", std::move(arguments));
    EXPECT_EQ(sum, 3);
    co_return Result<void>();
  });
}

TEST_P(EraMatrix, ReadsResourcesAndPrompts) {
  run_session([](Connection& server) -> Task<Result<void>> {
    auto note = co_await server.read("note://one");
    EXPECT_TRUE(note) << note.error().message;
    std::map<std::string, std::string> arguments{{"name", "Ada"}};
    auto prompt = co_await server.prompt("greet", std::move(arguments));
    EXPECT_TRUE(prompt) << prompt.error().message;
    co_return Result<void>();
  });
}

TEST_P(EraMatrix, SendsProgressBeforeTheResult) {
  std::vector<double> steps;
  run_session([&steps](Connection& server) -> Task<Result<void>> {
    client::CallOptions call{
        .on_progress = [&steps](const protocol::ProgressParams& p) { steps.push_back(p.progress); }};
    auto result = co_await server.call<std::string>("steps", client::Arguments(), std::move(call));
    EXPECT_EQ(result, "done");
    co_return Result<void>();
  });
  EXPECT_THAT(steps, ElementsAre(1, 2, 3));
}

TEST_P(EraMatrix, Complaint_17_ElicitsAFormDuringACall) {
  run_session([](Connection& server) { return expect_text(server, "confirm", "yes"); });
  EXPECT_THAT(messages, ElementsAre("Sure?"));
}

TEST_P(EraMatrix, SendsServerRequestsInSequence) {
  run_session([](Connection& server) { return expect_text(server, "twice", "yes yes"); });
  EXPECT_THAT(messages, ElementsAre("Once?", "Twice?"));
}

TEST_P(EraMatrix, Complaint_17_RequestsSampling) {
  run_session([](Connection& server) { return expect_text(server, "think", "model said wait"); });
}

TEST_P(EraMatrix, RequestsRoots) {
  run_session([](Connection& server) { return expect_text(server, "where", "file:///home"); });
}

TEST_P(EraMatrix, FiltersLogMessagesByLevel) {
  std::vector<std::string> received;
  options.on_log = [&received](const protocol::LoggingMessageParams& message) {
    received.push_back(std::string(message.data.text()));
  };
  run_session([](Connection& server) -> Task<Result<void>> {
    auto set = co_await server.set_log_level(LoggingLevel::warning);
    EXPECT_TRUE(set) << set.error().message;
    co_return co_await expect_text(server, "say", "said");
  });
  EXPECT_THAT(received, ElementsAre(R"("careful")"));
}

TEST_P(EraMatrix, KeepsAToolErrorAsAResult) {
  run_session([](Connection& server) -> Task<Result<void>> {
    auto result = co_await server.call("fail");
    EXPECT_TRUE(result && result->isError.value_or(false));
    co_return Result<void>();
  });
}

TEST_P(EraMatrix, NotifiesListChanges) {
  std::vector<client::ChangedList> changed;
  options.on_list_changed = [&changed](client::ChangedList list) { changed.push_back(list); };
  run_session([&](Connection& server) -> Task<Result<void>> {
    auto listed = co_await server.tools();
    EXPECT_TRUE(listed);
    app.tool("more", "Is new", [] { return 1; });
    // A notification of the first list fetch may come before.
    while (std::ranges::find(changed, client::ChangedList::tools) == changed.end()) {
      auto again = co_await server.ping();
      EXPECT_TRUE(again);
      if (!again) break;
    }
    co_return Result<void>();
  });
  EXPECT_THAT(changed, testing::Contains(client::ChangedList::tools));
}

TEST_P(EraMatrix, NotifiesSubscribedResources) {
  std::vector<std::string> updated;
  options.on_resource_updated = [&updated](const std::string& uri) { updated.push_back(uri); };
  run_session([&](Connection& server) -> Task<Result<void>> {
    auto subscribed = co_await server.subscribe("note://one");
    EXPECT_TRUE(subscribed) << subscribed.error().message;
    app.resource_updated("note://one");
    for (int i = 0; i < 1000 && updated.empty(); ++i) {
      auto again = co_await server.ping();
      EXPECT_TRUE(again);
    }
    co_return Result<void>();
  });
  EXPECT_THAT(updated, ElementsAre("note://one"));
}

TEST_P(EraMatrix, ReportsAMissingResourceInTheClientsRevision) {
  run_session([](Connection& server) -> Task<Result<void>> {
    auto note = co_await server.read("note://none");
    EXPECT_FALSE(note);
    const auto* revision = protocol::find_revision(GetParam().client);
    EXPECT_EQ(note ? 0 : note.error().code, revision->reserved_error_codes ? -32602 : -32002);
    co_return Result<void>();
  });
}

std::vector<RevisionPair> all_cells() {
  std::vector<RevisionPair> cells;
  for (const auto& client : protocol::revisions()) {
    for (const auto& server : protocol::revisions())
      cells.push_back({std::string(client.name), std::string(server.name)});
  }
  // Members that older revisions do not have are not added.
  std::erase_if(cells,
                [](const RevisionPair& cell) { return cell.client < "2025-06-18" || cell.server < "2025-06-18"; });
  return cells;
}

INSTANTIATE_TEST_SUITE_P(Cells, EraMatrix, testing::ValuesIn(all_cells()), cell_name);

}  // namespace
}  // namespace fairlead::gateway::era_matrix_test
