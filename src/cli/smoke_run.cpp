#include "cli/smoke_run.hpp"

#include <algorithm>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>
#include <utility>

#include "cli/sample_arguments.hpp"
#include "cli/show.hpp"
#include "cli/version.hpp"

namespace fairlead::cli {
namespace {

using json::Payload;
using jsonrpc::Message;

// How long to listen for what should not come.
constexpr auto linger = std::chrono::milliseconds{100};

/// An answer, or the end of the attempt.
using Answer = Result<Payload>;

class Smoke {
 public:
  Smoke(Loop loop, transport::Transport& server, SmokePlan plan)
      : loop_(std::move(loop)), server_(server), plan_(std::move(plan)) {}

  Task<SmokeReport> run() {
    bool going = co_await initialize();
    if (going) going = co_await list();
    if (going) going = co_await call();
    if (going) co_await listen_for_more();
    co_return std::move(report_);
  }

 private:
  Task<bool> initialize();
  Task<bool> list();
  Task<bool> call();
  Task<void> listen_for_more();

  Task<Answer> ask(std::string_view method, Payload params);
  Task<Answer> answer_to(jsonrpc::Id id);
  Task<Result<void>> send(Message message);
  Task<std::optional<Answer>> look_at(Message message, const jsonrpc::Id& awaited);

  bool finish(std::string_view method, bool ok, std::string detail) {
    report_.steps.push_back({std::string(method), ok, std::move(detail)});
    return ok;
  }

  Loop loop_;
  transport::Transport& server_;
  SmokePlan plan_;
  SmokeReport report_;
  std::int64_t last_id_ = 0;
  std::vector<protocol::Tool> tools_;
};

Task<Result<void>> Smoke::send(Message message) {
  transport::Outgoing outgoing{std::move(message)};
  auto sending = server_.send(std::move(outgoing));
  co_return co_await with_deadline(loop_.timers, Deadline::in(plan_.patience), std::move(sending));
}

Task<Answer> Smoke::ask(std::string_view method, Payload params) {
  jsonrpc::Request request{.id = ++last_id_, .method = std::string(method), .params = std::move(params)};
  const jsonrpc::Id id = request.id;
  if (auto sent = co_await send(std::move(request)); !sent) co_return std::unexpected(std::move(sent.error()));
  auto answer = co_await with_deadline(loop_.timers, Deadline::in(plan_.patience), answer_to(id));
  if (!answer && answer.error().kind == ErrorKind::timeout) answer.error().message += "; --timeout gives it longer";
  co_return answer;
}

Task<Answer> Smoke::answer_to(jsonrpc::Id id) {
  while (true) {
    auto received = co_await server_.receive();
    if (!received) co_return std::unexpected(std::move(received.error()));
    // An answer that got lost says nothing of the server but that it may not be there.
    report_.reached = report_.reached || !std::holds_alternative<transport::Lost>(*received);
    auto* message = std::get_if<Message>(&*received);
    if (auto* related = std::get_if<transport::Related>(&*received)) message = &related->message;
    if (auto* lost = std::get_if<transport::Lost>(&*received)) {
      if (lost->id == id) co_return std::unexpected(std::move(lost->error));
    } else if (message != nullptr) {
      if (auto answer = co_await look_at(std::move(*message), id)) co_return *std::move(answer);
    } else if (!std::holds_alternative<transport::Paused>(*received)) {
      const auto* bad = std::get_if<transport::Unreadable>(&*received);
      report_.problems.push_back(
          bad ? fmt::format("the server printed \"{}\" on stdout, which is no JSON-RPC message; print to stderr",
                            for_terminal(bad->text))
              : "the server sent a batch, which nobody asked for");
    }
  }
}

Task<std::optional<Answer>> Smoke::look_at(Message message, const jsonrpc::Id& awaited) {
  if (auto* request = std::get_if<jsonrpc::Request>(&message)) {
    jsonrpc::ErrorObject no{.code = jsonrpc::code::method_not_found, .message = "a smoke test answers nothing"};
    jsonrpc::ErrorResponse reply{.id = request->id, .error = std::move(no)};
    co_await send(std::move(reply));
    co_return std::nullopt;
  }
  if (auto* response = std::get_if<jsonrpc::Response>(&message); response != nullptr && response->id == awaited) {
    ++report_.responses;
    co_return Answer(std::move(response->result));
  }
  auto* error = std::get_if<jsonrpc::ErrorResponse>(&message);
  if (error != nullptr && error->id == awaited) {
    ++report_.responses;
    co_return fail(ErrorKind::refused, fmt::format("error {}: {}", error->error.code, error->error.message));
  }
  if (std::holds_alternative<jsonrpc::Notification>(message)) co_return std::nullopt;
  ++report_.responses;
  report_.problems.push_back("a response to nothing that was asked: " + jsonrpc::write(message).substr(0, 200));
  co_return std::nullopt;
}

Task<void> Smoke::listen_for_more() {
  auto more = answer_to(jsonrpc::Id(std::int64_t{0}));
  co_await with_deadline(loop_.timers, Deadline::in(linger), std::move(more));
}

Task<bool> Smoke::initialize() {
  protocol::InitializeParams params;
  params.protocolVersion = plan_.revision.empty() ? std::string(protocol::newest_handshake().name) : plan_.revision;
  params.capabilities.emplace();
  params.clientInfo = protocol::Implementation{.name = "fairlead-smoke", .version = std::string(version)};
  constexpr auto method = protocol::Initialize::method;
  auto answer = co_await ask(method, json::to_payload(params));
  if (!answer) co_return finish(method, false, answer.error().message);
  const auto result = json::decode<protocol::InitializeResult>(*answer);
  if (!result) co_return finish(method, false, "the result is not one: " + result.error().message);
  jsonrpc::Notification ready{.method = std::string(protocol::Initialized::method)};
  if (auto sent = co_await send(std::move(ready)); !sent) co_return finish(method, false, sent.error().message);
  co_return finish(
      method, true,
      fmt::format("{} {}, revision {}", result->serverInfo.name, result->serverInfo.version, result->protocolVersion));
}

Task<bool> Smoke::list() {
  constexpr auto method = protocol::ListTools::method;
  auto answer = co_await ask(method, Payload::trusted("{}"));
  if (!answer) co_return finish(method, false, answer.error().message);
  auto result = json::decode<protocol::ListToolsResult>(*answer);
  if (!result) co_return finish(method, false, "the result is not one: " + result.error().message);
  if (result->tools.empty()) co_return finish(method, false, "the server has no tools, so there is none to call");
  tools_ = std::move(result->tools);
  co_return finish(method, true, counted(tools_.size(), "tool"));
}

Task<bool> Smoke::call() {
  constexpr auto method = protocol::CallTool::method;
  const auto chosen = std::ranges::find_if(tools_, [&](const protocol::Tool& tool) {
    return plan_.tool.empty() ? needs_nothing(tool) : tool.name == plan_.tool;
  });
  if (chosen == tools_.end() && !plan_.tool.empty()) {
    co_return finish(method, false, fmt::format("the server lists no tool '{}'", plan_.tool));
  }
  const auto& tool = chosen == tools_.end() ? tools_.front() : *chosen;
  protocol::CallToolParams params;
  params.name = tool.name;
  params.arguments = Payload::trusted(plan_.arguments ? *plan_.arguments : sample_arguments(tool));
  auto answer = co_await ask(method, json::to_payload(params));
  // Arguments that we made up may be refused with good reason: an answer it is all the same.
  const bool our_guess = plan_.tool.empty();
  if (!answer && answer.error().kind == ErrorKind::refused && our_guess) {
    co_return finish(method, true, tool.name + " answered " + answer.error().message);
  }
  if (!answer) co_return finish(method, false, tool.name + ": " + answer.error().message);
  const auto result = json::decode<protocol::CallToolResult>(*answer);
  if (!result) co_return finish(method, false, tool.name + ": the result is not one: " + result.error().message);
  const bool failed = result->isError.value_or(false);
  co_return finish(
      method, our_guess || !failed,
      fmt::format("{} {}, {} bytes", tool.name, failed ? "says that it failed" : "answered", answer->text().size()));
}

}  // namespace

bool SmokeReport::ok() const {
  return steps.size() == 3 && std::ranges::all_of(steps, &SmokeStep::ok) && problems.empty() && responses == 3;
}

Task<SmokeReport> run_smoke_test(Loop loop, transport::Transport& server, SmokePlan plan) {
  Smoke smoke(std::move(loop), server, std::move(plan));
  co_return co_await smoke.run();
}

}  // namespace fairlead::cli
