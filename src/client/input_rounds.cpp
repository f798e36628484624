#include "client/input_rounds.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/extension.hpp>
#include <fairlead/protocol/model/methods.hpp>

#include "client/connection_state.hpp"
#include "client/remote_task_state.hpp"

namespace fairlead::client {
namespace {

using protocol::ResultKind;

json::Payload with_meta(json::Payload params, const std::optional<json::Payload>& meta) {
  if (!meta) return params;
  json::ObjectEdit whole(params.text());
  return json::Payload::trusted(whole.set("_meta", std::string(meta->text())).text());
}

// Backoff for a server that requests another round without input.
Task<void> pause(std::size_t round) {
  constexpr std::chrono::milliseconds step{50};
  boost::asio::steady_timer timer(co_await this_task::executor, step * round);
  co_await timer.async_wait(use_task);
}

}  // namespace

Task<Result<protocol::InputResponses>> respond_to(ClientRequestHandler& handler, protocol::InputRequests requests) {
  protocol::InputResponses responses;
  for (const auto& [key, request] : requests) {
    auto params = request.params.value_or(json::Payload::trusted("{}"));
    auto answer = co_await handler.handle_request(request.method, std::move(params));
    if (!answer) co_return std::unexpected(std::move(answer.error()));
    responses.emplace(key, std::move(*answer));
  }
  co_return responses;
}

json::Payload next_round_params(const json::Payload& params, const protocol::InputResponses& responses,
                                const std::optional<std::string>& state) {
  json::ObjectEdit whole(params.text());
  if (!responses.empty()) whole.set("inputResponses", json::encode(responses));
  if (state) whole.set("requestState", json::encode(*state));
  return json::Payload::trusted(whole.text());
}

session::Call ConnectionState::make_call(std::string method, json::Payload params,
                                         const CallOptions& call_options) const {
  return {.method = std::move(method),
          .params = std::move(params),
          .timeouts = call_options.timeouts.value_or(options.timeouts),
          .on_progress = call_options.on_progress};
}

bool ConnectionState::is_cacheable(const std::string& method, const CallOptions& call_options) const {
  // server/discover also checks whether the server responds, so it is not cached.
  if (!options.cache || !call_options.use_cache || method == protocol::Discover::method || call_options.meta ||
      call_options.on_progress)
    return false;
  return server.revision && server.revision->cache_hints && protocol::is_cacheable(*server.revision, method);
}

Task<Result<session::Reply>> ConnectionState::send_request(session::Call& call) {
  const auto self = shared_from_this();
  for (bool is_retry = false;; is_retry = true) {
    auto connected = co_await ensure_connected();
    if (!connected) co_return std::unexpected(std::move(connected.error()));
    const auto active = std::move(*connected);
    auto reply = co_await active->session.peer().call(call);
    const bool was_processed =
        reply || reply.error().kind != ErrorKind::closed || reply.error().cause != transport::cause_not_processed;
    if (was_processed || is_retry || !options.reconnect) co_return reply;
    drain(active);
  }
}

Task<Result<session::Reply>> ConnectionState::send_rounds(std::string method, json::Payload params,
                                                          CallOptions call_options) {
  const auto self = shared_from_this();
  const auto first = with_meta(std::move(params), call_options.meta);
  auto current = first;
  const bool cacheable = is_cacheable(method, call_options);
  if (auto cached = cacheable ? cache.find(method, first) : std::nullopt)
    co_return session::Reply{.body = std::move(*cached)};
  for (std::size_t round = 1; round <= options.max_rounds; ++round) {
    auto call = make_call(method, current, call_options);
    auto reply = co_await send_request(call);
    if (!reply) co_return reply;
    if (reply->kind == ResultKind::complete) {
      // A result of several rounds depends on the responses of the user: not cached.
      if (round == 1 && is_cacheable(method, call_options)) cache.store(method, first, reply->body);
      co_return reply;
    }
    if (reply->kind == ResultKind::other) co_return check_kind(method, std::move(*reply));
    auto requested = json::decode<protocol::InputRequiredResult>(reply->body);
    if (!requested) co_return std::unexpected(std::move(requested.error()));
    if (!requested->inputRequests && !requested->requestState) {
      co_return fail(ErrorKind::malformed, "an input_required result has neither inputRequests nor requestState");
    }
    auto questions = requested->inputRequests.value_or(protocol::InputRequests());
    auto responses = co_await respond_to(request_handler, std::move(questions));
    if (!responses) co_return std::unexpected(std::move(responses.error()));
    if (responses->empty()) co_await pause(round);
    current = next_round_params(first, *responses, requested->requestState);
  }
  co_return fail(ErrorKind::refused, "the server requested input " + std::to_string(options.max_rounds) +
                                         " times without a result; raise max_rounds if that is expected");
}

// Only a tool call can become a task, and only for a client that declared the extension.
Result<session::Reply> ConnectionState::check_kind(const std::string& method, session::Reply reply) const {
  if (options.tasks && method == protocol::CallTool::method && reply.other_kind == "task") return reply;
  return fail(ErrorKind::malformed,
              "the server returned a result of type '" + reply.other_kind + "', which this client does not support");
}

Task<Result<json::Payload>> ConnectionState::request(std::string method, json::Payload params,
                                                     CallOptions call_options) {
  const auto self = shared_from_this();
  auto reply = co_await send_rounds(method, params, call_options);
  // A tool of the handshake era that runs only as a task.
  const bool asks_for_task = !reply && reply.error().code == jsonrpc::code::method_not_found &&
                             method == protocol::CallTool::method && may_ask_for_task();
  if (asks_for_task) reply = co_await send_rounds(std::move(method), asking_for_task(params), call_options);
  if (!reply) co_return std::unexpected(std::move(reply.error()));
  if (reply->kind == ResultKind::complete && !asks_for_task) co_return std::move(reply->body);
  auto task = remote_task_of(self, std::string(), reply->body);
  if (!task) co_return std::unexpected(std::move(task.error()));
  co_return co_await finish_task(std::move(*task), std::move(call_options));
}

}  // namespace fairlead::client
