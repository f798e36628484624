#include "cli/smoke_run.hpp"

#include <algorithm>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>

#include "cli/sample_arguments.hpp"
#include "cli/to_text.hpp"
#include "cli/version.hpp"

namespace fairlead::cli {
namespace {

using json::Payload;
using jsonrpc::Message;

// How long to wait for messages that must not come.
constexpr auto extra_message_wait = std::chrono::milliseconds{100};

/// A result, or the error that ends the test.
using Answer = Result<Payload>;

class SmokeRunner {
 public:
  SmokeRunner(EventLoop loop, transport::Transport& server, SmokePlan plan)
      : loop_(std::move(loop)), server_(server), plan_(std::move(plan)) {}

  Task<SmokeReport> run() {
    bool going = co_await initialize();
    if (going) going = co_await list();
    if (going) going = co_await call();
    if (going) co_await check_for_extra_messages();
    co_return std::move(report_);
  }

 private:
  Task<bool> initialize();
  Task<bool> list();
  Task<bool> call();
  Task<void> check_for_extra_messages();

  Task<Answer> send_request(std::string_view method, Payload params);
  Task<Answer> await_response(jsonrpc::Id id);
  Task<Result<void>> send(Message message);
  Task<std::optional<Answer>> handle_message(Message message, const jsonrpc::Id& awaited);

  bool finish(std::string_view method, bool ok, std::string detail) {
    report_.steps.push_back({std::string(method), ok, std::move(detail)});
    return ok;
  }

  EventLoop loop_;
  transport::Transport& server_;
  SmokePlan plan_;
  SmokeReport report_;
  std::int64_t last_id_ = 0;
  std::vector<protocol::Tool> tools_;
};

Task<Result<void>> SmokeRunner::send(Message message) {
  transport::Outgoing outgoing{std::move(message)};
  auto sending = server_.send(std::move(outgoing));
  co_return co_await with_deadline(loop_.timers, Deadline::in(plan_.timeout), std::move(sending));
}

Task<Answer> SmokeRunner::send_request(std::string_view method, Payload params) {
  jsonrpc::Request request{.id = ++last_id_, .method = std::string(method), .params = std::move(params)};
  const jsonrpc::Id id = request.id;
  if (auto sent = co_await send(std::move(request)); !sent) co_return std::unexpected(std::move(sent.error()));
  auto answer = co_await with_deadline(loop_.timers, Deadline::in(plan_.timeout), await_response(id));
  if (!answer && answer.error().kind == ErrorKind::timeout) answer.error().message += "; increase it with --timeout";
  co_return answer;
}

Task<Answer> SmokeRunner::await_response(jsonrpc::Id id) {
  while (true) {
    auto received = co_await server_.receive();
    if (!received) co_return std::unexpected(std::move(received.error()));
    // A failed request does not prove that the server exists.
    report_.reached = report_.reached || !std::holds_alternative<transport::RequestFailed>(*received);
    auto* message = std::get_if<Message>(&*received);
    if (auto* related = std::get_if<transport::MessageForRequest>(&*received)) message = &related->message;
    if (auto* lost = std::get_if<transport::RequestFailed>(&*received)) {
      if (lost->id == id) co_return std::unexpected(std::move(lost->error));
    } else if (message != nullptr) {
      if (auto answer = co_await handle_message(std::move(*message), id)) co_return *std::move(answer);
    } else if (!std::holds_alternative<transport::ResponseDeferred>(*received)) {
      const auto* bad = std::get_if<transport::InvalidMessage>(&*received);
      report_.problems.push_back(
          bad ? fmt::format(
                    "the server printed \"{}\" to stdout, which is not a JSON-RPC message; it must log to stderr",
                    escape_for_terminal(bad->text))
              : "the server sent an unexpected batch");
    }
  }
}

Task<std::optional<Answer>> SmokeRunner::handle_message(Message message, const jsonrpc::Id& awaited) {
  if (auto* request = std::get_if<jsonrpc::Request>(&message)) {
    jsonrpc::ErrorObject no{.code = jsonrpc::code::method_not_found,
                            .message = "the smoke test does not answer requests"};
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
  report_.problems.push_back("a response without a request: " + jsonrpc::write(message).substr(0, 200));
  co_return std::nullopt;
}

Task<void> SmokeRunner::check_for_extra_messages() {
  auto more = await_response(jsonrpc::Id(std::int64_t{0}));
  co_await with_deadline(loop_.timers, Deadline::in(extra_message_wait), std::move(more));
}

Task<bool> SmokeRunner::initialize() {
  protocol::InitializeParams params;
  params.protocolVersion = plan_.revision.empty() ? std::string(protocol::newest_handshake().name) : plan_.revision;
  params.capabilities.emplace();
  params.clientInfo = protocol::Implementation{.name = "fairlead-smoke", .version = std::string(version)};
  constexpr auto method = protocol::Initialize::method;
  auto answer = co_await send_request(method, json::to_payload(params));
  if (!answer) co_return finish(method, false, answer.error().message);
  const auto result = json::decode<protocol::InitializeResult>(*answer);
  if (!result) co_return finish(method, false, "invalid result: " + result.error().message);
  jsonrpc::Notification ready{.method = std::string(protocol::Initialized::method)};
  if (auto sent = co_await send(std::move(ready)); !sent) co_return finish(method, false, sent.error().message);
  co_return finish(
      method, true,
      fmt::format("{} {}, revision {}", result->serverInfo.name, result->serverInfo.version, result->protocolVersion));
}

Task<bool> SmokeRunner::list() {
  constexpr auto method = protocol::ListTools::method;
  auto answer = co_await send_request(method, Payload::trusted("{}"));
  if (!answer) co_return finish(method, false, answer.error().message);
  auto result = json::decode<protocol::ListToolsResult>(*answer);
  if (!result) co_return finish(method, false, "invalid result: " + result.error().message);
  if (result->tools.empty()) co_return finish(method, false, "the server has no tools to call");
  tools_ = std::move(result->tools);
  co_return finish(method, true, pluralize(tools_.size(), "tool"));
}

Task<bool> SmokeRunner::call() {
  constexpr auto method = protocol::CallTool::method;
  const auto chosen = std::ranges::find_if(tools_, [&](const protocol::Tool& tool) {
    return plan_.tool.empty() ? has_no_required_arguments(tool) : tool.name == plan_.tool;
  });
  if (chosen == tools_.end() && !plan_.tool.empty()) {
    co_return finish(method, false, fmt::format("the server does not list the tool '{}'", plan_.tool));
  }
  const auto& tool = chosen == tools_.end() ? tools_.front() : *chosen;
  protocol::CallToolParams params;
  params.name = tool.name;
  params.arguments = Payload::trusted(plan_.arguments ? *plan_.arguments : sample_arguments(tool));
  auto answer = co_await send_request(method, json::to_payload(params));
  // A server may reject generated arguments: an error response passes the test.
  const bool arguments_generated = plan_.tool.empty();
  if (!answer && answer.error().kind == ErrorKind::refused && arguments_generated) {
    co_return finish(method, true, tool.name + " responded with " + answer.error().message);
  }
  if (!answer) co_return finish(method, false, tool.name + ": " + answer.error().message);
  const auto result = json::decode<protocol::CallToolResult>(*answer);
  if (!result) co_return finish(method, false, tool.name + ": invalid result: " + result.error().message);
  const bool failed = result->isError.value_or(false);
  co_return finish(
      method, arguments_generated || !failed,
      fmt::format("{} {}, {} bytes", tool.name, failed ? "reported an error" : "responded", answer->text().size()));
}

}  // namespace

bool SmokeReport::ok() const {
  return steps.size() == 3 && std::ranges::all_of(steps, &SmokeStep::ok) && problems.empty() && responses == 3;
}

Task<SmokeReport> run_smoke_test(EventLoop loop, transport::Transport& server, SmokePlan plan) {
  SmokeRunner smoke(std::move(loop), server, std::move(plan));
  co_return co_await smoke.run();
}

}  // namespace fairlead::cli
