#include "gateway/upstream/answering.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <utility>

#include "client/rounds.hpp"
#include "gateway/upstream/failure.hpp"
#include "protocol/needed_capability.hpp"
#include "server/capability.hpp"

namespace fairlead::gateway {
namespace {

using protocol::Fault;
using protocol::LoggingLevel;

std::optional<LoggingLevel> level_of(const session::Notice& notice) {
  auto level = json::decode<LoggingLevel>(json::member_of(notice.params.text(), "level"));
  return level ? std::optional(*level) : std::nullopt;
}

json::Payload no_roots() {
  return json::to_payload(protocol::ListRootsResult());
}

// A question that comes in a result has a key there; as a request, a page to visit has an id instead.
json::Payload as_request(const protocol::InputRequest& question, const std::string& key, const session::Call& call) {
  auto params = question.params.value_or(json::Payload::trusted("{}"));
  if (question.method != protocol::Elicit::method || json::member_of(params.text(), "mode") != R"("url")")
    return params;
  json::ObjectEdit whole(params.text());
  if (!whole.get("elicitationId").empty()) return params;
  const auto id = fmt::format("{}-{}-{}", call.context.conversation, call.context.id->to_json(), key);
  return json::Payload::trusted(whole.set("elicitationId", json::encode(id)).text());
}

}  // namespace

protocol::ClientCapabilities everything_a_client_can() {
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

std::optional<CallerId> Upstream::only_caller() const {
  // A session without a principal whose calls have ended may be the client that calls now, come back: many clients do
  // not end their sessions. While calls are under way only they count; a principal counts until the server starts anew.
  auto callers = visits_.callers();
  const bool under_way = !callers.empty();
  for (const auto& each : callers_.all()) {
    if (!under_way || !each.is_anonymous()) callers.insert(each);
  }
  if (callers.empty()) callers = visits_.callers_of_lists();
  if (callers.empty()) callers = audience_.callers();
  if (callers.size() != 1) return std::nullopt;
  const auto& only = *callers.begin();
  const bool certain = (under_way && only.is_anonymous()) || !callers_.may_be_of_the_gone(only);
  return certain ? std::optional(only) : std::nullopt;
}

Visit* Upstream::visit_of(const std::optional<jsonrpc::Id>& about, const std::optional<CallerId>& caller) const {
  if (about) return visits_.find(*about);
  return caller ? visits_.latest_of(*caller) : nullptr;
}

Task<Result<session::Reply>> Upstream::answer(session::Call& question) {
  const auto caller = only_caller();
  if (auto* visit = visit_of(question.context.about, caller)) {
    const server::Question asked{.method = question.method, .params = question.params};
    if (auto lacks = server::lacking(asked, visit->call().context.caller->capabilities)) {
      auto error = protocol::undeclared_error(question.method, *lacks);
      visit->lacks(question.method, std::move(*lacks));
      co_return std::unexpected(std::move(error));
    }
    co_return co_await visit->ask(question.method, question.params);
  }
  const bool outside_calls = !question.context.about && caller && visits_.latest_of(*caller) == nullptr;
  if (outside_calls && audience_.only_peer(*caller) != nullptr) {
    const auto limit = options_.question_timeout;
    session::Call asked{.method = question.method, .params = question.params, .patience = {limit, limit}};
    auto answer = co_await audience_.ask_only_peer(*caller, std::move(asked));
    if (answer || question.method != protocol::ListRoots::method) co_return answer;
  }
  // We have declared roots for all clients. Servers ask for them as soon as they are started, before any call: those of
  // nobody in particular are none. Once several clients have called, an empty list could be taken for one client's.
  const bool called = callers_.any_since_start() || !visits_.callers().empty();
  if (question.method == protocol::ListRoots::method && !question.context.about && (caller || !called)) {
    co_return session::Reply{.body = no_roots()};
  }
  note_refused(question.method);
  co_return std::unexpected(
      Error{.kind = ErrorKind::refused,
            .message = question.method +
                       ": several clients share this server, and the request does not say which of their calls it "
                       "belongs to, so that the gateway asks none of them",
            .code = jsonrpc::code::invalid_request});
}

void Upstream::note_refused(std::string_view method) const {
  log(loop_.log, LogLevel::warning, options_.name, [&] {
    auto said = "asked for " + std::string(method) +
                " without saying for which call; several clients have used it, so that the gateway refused";
    if (!options_.one_caller) said += "; one process per caller (share: caller) would tell them apart";
    return said;
  });
}

void Upstream::hear(const session::Notice& notice) {
  const bool is_change =
      notice.method == protocol::ToolListChanged::method || notice.method == protocol::PromptListChanged::method ||
      notice.method == protocol::ResourceListChanged::method || notice.method == protocol::ResourceUpdated::method;
  if (is_change) return audience_.tell(notice);
  if (notice.method == protocol::TaskStatusChanged::method) return hear_of_task(notice);
  const bool is_log = notice.method == protocol::LoggingMessage::method;
  const auto level = is_log ? level_of(notice) : std::nullopt;
  if (is_log && !level) return;
  // The rest is about a call, or about what came of one: for whoever made it.
  const auto caller = only_caller();
  auto* visit = visit_of(notice.about, caller);
  if (visit != nullptr) {
    if (!level || wants(*visit, *level)) visit->tell(notice.method, notice.params);
  } else if (!notice.about && caller && visits_.latest_of(*caller) == nullptr) {
    audience_.tell(*caller, notice, level);
  } else if (!notice.about && !callers_.any_since_start() && visits_.count() == 0) {
    // Nobody has called it, so that it can only speak of itself.
    audience_.tell(notice);
  } else {
    log(loop_.log, LogLevel::debug, options_.name, [&] {
      return notice.method +
             " was told to nobody: it does not say to which call it belongs, and several clients have " +
             "used the server";
    });
  }
}

bool Upstream::wants(const Visit& visit, LoggingLevel level) const {
  const auto& context = visit.call().context;
  const bool asks_each_time = context.revision && context.revision->request_log_level;
  const auto wanted = asks_each_time ? context.caller->log_level : audience_.level(context.conversation);
  return asks_each_time ? wanted && level >= *wanted : !wanted || level >= *wanted;
}

// How a task is doing is for whoever began it, and who that was is remembered.
void Upstream::hear_of_task(const session::Notice& notice) {
  const auto id = json::decode<std::string>(json::member_of(notice.params.text(), "taskId"));
  if (const auto* owner = id ? options_.tasks->find(*id) : nullptr) audience_.tell(owner->conversation, notice);
}

// A server without questions of its own to send answers with them; a client that can be asked is asked here, and the
// call goes on. A client of the server's own kind gets them as they are.
Task<Result<session::Reply>> Upstream::answer_questions(Visit& visit, session::Call& out, session::Reply first,
                                                        Deadline until) {
  Result<session::Reply> reply = std::move(first);
  for (std::size_t round = 1; round <= options_.max_rounds; ++round) {
    out.patience.cap = std::min(out.patience.cap, until.remaining(loop_.timers.clock()));
    if (round > 1) reply = co_await connection_.call(out);
    if (!reply || reply->kind != protocol::ResultKind::input_required) co_return reply;
    auto asked = json::decode<protocol::InputRequiredResult>(reply->body);
    if (!asked) co_return std::unexpected(std::move(asked.error()));
    protocol::InputResponses responses;
    for (auto& [key, request] : asked->inputRequests.value_or(protocol::InputRequests())) {
      auto answer = co_await answer_one(visit, request, key, until);
      if (!answer) co_return std::unexpected(std::move(answer.error()));
      responses.emplace(key, std::move(*answer));
    }
    out.params = client::next_round(visit.call().params, responses, asked->requestState);
  }
  co_return fail(ErrorKind::refused, fmt::format("the server '{}' asked back {} times without an answer", options_.name,
                                                 options_.max_rounds));
}

// The limit of the whole call holds while a question is open too.
Task<Result<json::Payload>> Upstream::answer_one(Visit& visit, const protocol::InputRequest& request,
                                                 const std::string& key, Deadline until) {
  auto params = as_request(request, key, visit.call());
  const server::Question asked{.method = request.method, .params = params};
  if (auto lacks = server::lacking(asked, visit.call().context.caller->capabilities)) {
    auto error = undeclared(options_.name, visit.call(), request.method, *lacks);
    visit.lacks(request.method, std::move(*lacks));
    co_return std::unexpected(std::move(error));
  }
  auto answer = co_await with_deadline(loop_.timers, until, visit.ask(request.method, std::move(params)));
  if (answer) co_return std::move(answer->body);
  const bool unanswered = answer.error().kind == ErrorKind::timeout && !until.passed(loop_.timers.clock());
  if (unanswered) co_return std::unexpected(no_answer(options_.name, visit.call(), answer.error()));
  co_return std::unexpected(std::move(answer.error()));
}

Duration Upstream::unsettled_for(const session::Call& call) const {
  const bool says_whose = connection_.server().revision->lifecycle == protocol::Lifecycle::stateless;
  return says_whose ? Duration{} : visits_.restless(call.context.conversation);
}

Task<void> Upstream::settled(const session::Call& call) {
  for (auto wait = unsettled_for(call); wait > Duration{}; wait = unsettled_for(call)) {
    boost::asio::steady_timer timer(loop_.executor, wait);
    co_await timer.async_wait(boost::asio::use_awaitable);
  }
}

}  // namespace fairlead::gateway
