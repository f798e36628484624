#include "gateway/upstream/server_request_handler.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fmt/format.h>

#include "client/input_rounds.hpp"
#include "gateway/upstream/input_request.hpp"
#include "gateway/upstream/upstream_errors.hpp"
#include "protocol/required_capability.hpp"

namespace fairlead::gateway {
namespace {

using protocol::LoggingLevel;

std::optional<LoggingLevel> level_of(const session::Notification& notice) {
  auto level = json::decode<LoggingLevel>(json::member_of(notice.params.text(), "level"));
  return level ? std::optional(*level) : std::nullopt;
}

json::Payload no_roots() {
  return json::to_payload(protocol::ListRootsResult());
}

}  // namespace

protocol::ClientCapabilities all_client_capabilities() {
  const auto yes = json::Payload::trusted("{}");
  protocol::ClientCapabilities all;
  all.roots.emplace().listChanged = true;
  all.sampling.emplace();
  all.sampling->tools = yes;
  all.sampling->context = yes;
  all.elicitation.emplace();
  all.elicitation->form = yes;
  all.elicitation->url = yes;
  return all;
}

std::optional<CallerId> Upstream::sole_caller() const {
  // A session without a principal whose calls have ended may be the calling client again: many clients do not end their
  // sessions. While calls are in flight, only their sessions count; a principal counts until the next connection.
  auto callers = active_calls_.callers();
  const bool has_calls = !callers.empty();
  for (const auto& each : caller_history_.all()) {
    if (!has_calls || !each.is_anonymous()) callers.insert(each);
  }
  if (callers.empty()) callers = active_calls_.list_callers();
  if (callers.empty()) callers = notifier_.callers();
  if (callers.size() != 1) return std::nullopt;
  const auto& only = *callers.begin();
  const bool certain = (has_calls && only.is_anonymous()) || !caller_history_.may_come_from_ended_session(only);
  return certain ? std::optional(only) : std::nullopt;
}

ActiveCall* Upstream::find_call(const std::optional<jsonrpc::Id>& request_id,
                                const std::optional<CallerId>& caller) const {
  if (request_id) return active_calls_.find(*request_id);
  return caller ? active_calls_.attribute(*caller) : nullptr;
}

Task<Result<session::Reply>> Upstream::handle_server_request(session::Call& request) {
  const auto caller = sole_caller();
  if (auto* active = find_call(request.context.related_request, caller)) {
    const auto& declared = active->call().context.caller->capabilities;
    if (auto missing = protocol::undeclared_capability(request.method, request.params, declared)) {
      auto error = protocol::undeclared_error(request.method, *missing);
      active->set_missing_capability(request.method, std::move(*missing));
      co_return std::unexpected(std::move(error));
    }
    co_return co_await active->request(request.method, request.params);
  }
  const bool outside_calls = !request.context.related_request && caller && active_calls_.attribute(*caller) == nullptr;
  if (outside_calls && notifier_.sole_session(*caller) != nullptr) {
    const auto limit = options_.server_request_timeout;
    session::Call forwarded{.method = request.method, .params = request.params, .timeouts = {limit, limit}};
    auto answer = co_await notifier_.request_from_sole_session(*caller, std::move(forwarded));
    if (answer || request.method != protocol::ListRoots::method) co_return answer;
  }
  // The gateway declares roots for all clients. Servers request them right after the start, before any call: then the
  // list is empty. After calls of several clients, an empty list could be mistaken for the list of one client.
  const bool called = caller_history_.any_since_connect() || !active_calls_.callers().empty();
  if (request.method == protocol::ListRoots::method && !request.context.related_request && (caller || !called)) {
    co_return session::Reply{.body = no_roots()};
  }
  log_refused_request(request.method);
  co_return std::unexpected(Error{
      .kind = ErrorKind::refused,
      .message = request.method + ": several clients share this server, and the request does not name the call that it "
                                  "belongs to, so the gateway cannot forward it",
      .code = jsonrpc::code::invalid_request});
}

void Upstream::log_refused_request(std::string_view method) const {
  log(loop_.log, LogLevel::warning, options_.name, [&] {
    auto text = "sent " + std::string(method) +
                " without naming a call; several clients use the server, so the gateway refused the request";
    if (!options_.single_caller) text += "; 'share: caller' starts one process per caller";
    return text;
  });
}

void Upstream::on_notification(const session::Notification& notice) {
  const bool is_change =
      notice.method == protocol::ToolListChanged::method || notice.method == protocol::PromptListChanged::method ||
      notice.method == protocol::ResourceListChanged::method || notice.method == protocol::ResourceUpdated::method;
  if (is_change) return notifier_.notify(notice);
  if (notice.method == protocol::TaskStatusChanged::method) return on_task_status(notice);
  const bool is_log = notice.method == protocol::LoggingMessage::method;
  const auto level = is_log ? level_of(notice) : std::nullopt;
  if (is_log && !level) return;
  // Other notifications belong to the client of a call.
  const auto caller = sole_caller();
  auto* active = find_call(notice.related_request, caller);
  if (active != nullptr) {
    if (!level || accepts_level(*active, *level)) active->notify(notice.method, notice.params);
  } else if (!notice.related_request && caller && active_calls_.attribute(*caller) == nullptr) {
    notifier_.notify(*caller, notice, level);
  } else if (!notice.related_request && !caller_history_.any_since_connect() && active_calls_.count() == 0) {
    // Without calls the message cannot contain data of a caller.
    notifier_.notify(notice);
  } else {
    log(loop_.log, LogLevel::debug, options_.name, [&] {
      return notice.method + " was dropped: it does not name a call, and several clients have used the server";
    });
  }
}

bool Upstream::accepts_level(const ActiveCall& active, LoggingLevel level) const {
  const auto& context = active.call().context;
  const bool level_per_request = context.revision && context.revision->request_log_level;
  const auto wanted = level_per_request ? context.caller->log_level : notifier_.level(context.session_key);
  return level_per_request ? wanted && level >= *wanted : !wanted || level >= *wanted;
}

// Sends the status of a task to the session that started it.
void Upstream::on_task_status(const session::Notification& notice) {
  const auto id = json::decode<std::string>(json::member_of(notice.params.text(), "taskId"));
  if (const auto* owner = id ? options_.tasks->find(*id) : nullptr) notifier_.notify(owner->session_key, notice);
}

// A stateless server requests input in its result. A client that accepts server requests gets the requests here, and
// the call continues; a stateless client gets the result as it is.
Task<Result<session::Reply>> Upstream::fulfil_input_requests(ActiveCall& active, session::Call& out,
                                                             session::Reply first, Deadline until) {
  Result<session::Reply> reply = std::move(first);
  for (std::size_t round = 1; round <= options_.max_rounds; ++round) {
    out.timeouts.total = std::min(out.timeouts.total, until.remaining(loop_.timers.clock()));
    if (round > 1) reply = co_await connection_.call(out);
    if (!reply || reply->kind != protocol::ResultKind::input_required) co_return reply;
    auto input = json::decode<protocol::InputRequiredResult>(reply->body);
    if (!input) co_return std::unexpected(std::move(input.error()));
    protocol::InputResponses responses;
    for (auto& [key, request] : input->inputRequests.value_or(protocol::InputRequests())) {
      auto answer = co_await fulfil_input_request(active, request, key, until);
      if (!answer) co_return std::unexpected(std::move(answer.error()));
      responses.emplace(key, std::move(*answer));
    }
    out.params = client::next_round_params(active.call().params, responses, input->requestState);
  }
  co_return std::unexpected(too_many_input_rounds(options_.name, active.call(), options_.max_rounds));
}

// The total timeout of the call also limits the wait for the client.
Task<Result<json::Payload>> Upstream::fulfil_input_request(ActiveCall& active, const protocol::InputRequest& request,
                                                           const std::string& key, Deadline until) {
  auto params = as_server_request(request, key, active.call());
  const auto& declared = active.call().context.caller->capabilities;
  if (auto missing = protocol::undeclared_capability(request.method, params, declared)) {
    auto error = undeclared_capability(options_.name, active.call(), request.method, *missing);
    active.set_missing_capability(request.method, std::move(*missing));
    co_return std::unexpected(std::move(error));
  }
  auto answer = co_await with_deadline(loop_.timers, until, active.request(request.method, std::move(params)));
  if (answer) co_return std::move(answer->body);
  const bool unanswered = answer.error().kind == ErrorKind::timeout && !until.passed(loop_.timers.clock());
  if (unanswered) co_return std::unexpected(client_did_not_answer(options_.name, active.call(), answer.error()));
  co_return std::unexpected(std::move(answer.error()));
}

Duration Upstream::attribution_delay(const session::Call& call) const {
  const bool names_its_call = connection_.server().revision->lifecycle == protocol::Lifecycle::stateless;
  return names_its_call ? Duration{} : active_calls_.settle_delay(call.context.session_key);
}

Task<void> Upstream::wait_until_attributable(const session::Call& call) {
  for (auto wait = attribution_delay(call); wait > Duration{}; wait = attribution_delay(call)) {
    boost::asio::steady_timer timer(loop_.executor, wait);
    co_await timer.async_wait(use_task);
  }
}

}  // namespace fairlead::gateway
