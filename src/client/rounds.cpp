#include "client/rounds.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "client/connection_state.hpp"

namespace fairlead::client {
namespace {

using protocol::ResultKind;

json::Payload with_meta(json::Payload params, const std::optional<json::Payload>& meta) {
  if (!meta) return params;
  json::ObjectEdit whole(params.text());
  return json::Payload::trusted(whole.set("_meta", std::string(meta->text())).text());
}

// For a server that has nothing to ask and is not ready either.
Task<void> pause(std::size_t round) {
  constexpr std::chrono::milliseconds step{50};
  boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor, step * round);
  co_await timer.async_wait(boost::asio::use_awaitable);
}

Task<Result<protocol::InputResponses>> respond(Answers& answers, const protocol::InputRequests& requests) {
  protocol::InputResponses responses;
  for (const auto& [key, request] : requests) {
    auto params = request.params.value_or(json::Payload::trusted("{}"));
    auto answer = co_await answers.answer(request.method, std::move(params));
    if (!answer) co_return std::unexpected(std::move(answer.error()));
    responses.emplace(key, std::move(*answer));
  }
  co_return responses;
}

}  // namespace

json::Payload next_round(const json::Payload& params, const protocol::InputResponses& responses,
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
          .patience = call_options.patience.value_or(options.patience),
          .on_progress = call_options.on_progress};
}

bool ConnectionState::may_keep(const std::string& method, const CallOptions& call_options) const {
  // The question what a server speaks is also the one whether it is there.
  if (!options.cache || method == protocol::Discover::method || call_options.meta || call_options.on_progress)
    return false;
  return server.revision && server.revision->cache_hints && server.revision->cacheable.contains(method);
}

Task<Result<session::Reply>> ConnectionState::ask(session::Call& call) {
  auto link = open_link();
  if (!link || link->line.turns_away) return ask_twice(call, std::move(link));
  call.needs.push_back(link);
  return link->session.peer().call(call);
}

Task<Result<session::Reply>> ConnectionState::ask_twice(session::Call& call, std::shared_ptr<Link> link) {
  const auto self = shared_from_this();
  if (!link) {
    auto reached = co_await reach();
    if (!reached) co_return std::unexpected(std::move(reached.error()));
    link = std::move(*reached);
  }
  auto reply = co_await link->session.peer().call(call);
  const bool unread =
      !reply && reply.error().kind == ErrorKind::closed && reply.error().cause == transport::not_processed;
  if (!unread || !options.reconnect) co_return reply;
  retire(link);
  auto reached = co_await reach();
  if (!reached) co_return std::unexpected(std::move(reached.error()));
  link = std::move(*reached);
  co_return co_await link->session.peer().call(call);
}

Task<Result<json::Payload>> ConnectionState::request(std::string method, json::Payload params,
                                                     CallOptions call_options) {
  const auto self = shared_from_this();
  const auto first = with_meta(std::move(params), call_options.meta);
  auto current = first;
  if (auto kept = may_keep(method, call_options) ? cache.find(method, first) : std::nullopt) co_return std::move(*kept);
  for (std::size_t round = 1; round <= options.max_rounds; ++round) {
    auto call = make_call(method, current, call_options);
    auto reply = co_await ask(call);
    if (!reply) co_return std::unexpected(std::move(reply.error()));
    if (reply->kind == ResultKind::complete) {
      // What was asked for over several rounds is an answer to what was said in them.
      if (round == 1 && may_keep(method, call_options)) cache.keep(method, first, reply->body);
      co_return std::move(reply->body);
    }
    if (reply->kind == ResultKind::other) {
      co_return fail(ErrorKind::malformed, "the server answered with a '" + reply->other_kind +
                                               "', an extension that this client does not know");
    }
    auto asked = json::decode<protocol::InputRequiredResult>(reply->body);
    if (!asked) co_return std::unexpected(std::move(asked.error()));
    if (!asked->inputRequests && !asked->requestState) {
      co_return fail(ErrorKind::malformed, "the server wants something before it answers, and does not say what");
    }
    auto responses = co_await respond(answers, asked->inputRequests.value_or(protocol::InputRequests()));
    if (!responses) co_return std::unexpected(std::move(responses.error()));
    if (responses->empty()) co_await pause(round);
    current = next_round(first, *responses, asked->requestState);
  }
  co_return fail(ErrorKind::refused, "the server asked back " + std::to_string(options.max_rounds) +
                                         " times without an answer; raise max_rounds if that is how it works");
}

}  // namespace fairlead::client
