#include "gateway/upstream/answering.hpp"

#include <fairlead/base/log.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "server/capability.hpp"

namespace fairlead::gateway {
namespace {

using protocol::Fault;
using protocol::LoggingLevel;

std::optional<LoggingLevel> level_of(const session::Notice& notice) {
  auto level = json::decode<LoggingLevel>(json::member_of(notice.params.text(), "level"));
  return level ? std::optional(*level) : std::nullopt;
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

Task<Result<session::Reply>> Upstream::answer(session::Call& question) {
  if (auto* visit = visits_.owner(question.context.about)) {
    const server::Question asked{.method = question.method, .params = question.params};
    if (auto lacks = server::lacking(asked, visit->call().context.caller->capabilities)) {
      visit->lacks(question.method, std::move(*lacks));
      co_return std::unexpected(
          protocol::fault_error(Fault::unknown_method, "the client cannot do that", question.method));
    }
    co_return co_await visit->ask(question.method, question.params);
  }
  if (auto* peer = visits_.count() == 0 ? audience_.only_peer() : nullptr) {
    session::Call asked{.method = question.method, .params = question.params, .patience = options_.patience};
    co_return co_await peer->call(asked);
  }
  log(loop_.log, LogLevel::warning, options_.name, [&] {
    return "asked for " + question.method + ", and " + std::to_string(visits_.count()) +
           " calls of several clients are under way: nobody knows whose answer it wants; one process per caller " +
           "(share: caller) would tell them apart";
  });
  co_return std::unexpected(protocol::fault_error(
      Fault::invalid_request, "several clients share this server, and the request does not say which of them it is for",
      question.method));
}

void Upstream::hear(const session::Notice& notice) {
  if (notice.method == protocol::LoggingMessage::method) return hear_log(notice);
  const bool is_change =
      notice.method == protocol::ToolListChanged::method || notice.method == protocol::PromptListChanged::method ||
      notice.method == protocol::ResourceListChanged::method || notice.method == protocol::ResourceUpdated::method;
  if (is_change) return audience_.tell(notice);
  if (notice.method == protocol::TaskStatusChanged::method) return hear_of_task(notice);
  // The rest is about a call, or about what came of one: for whoever made it.
  auto* visit = visits_.owner(notice.about);
  if (visit && visit->call().context.back) {
    visit->tell(notice.method, notice.params);
  } else if (visits_.count() == 0) {
    audience_.tell(notice);
  }
}

// How a task is doing is for whoever began it, and who that was is remembered.
void Upstream::hear_of_task(const session::Notice& notice) {
  const auto id = json::decode<std::string>(json::member_of(notice.params.text(), "taskId"));
  if (const auto* owner = id ? tasks_.find(*id) : nullptr) {
    audience_.tell(owner->conversation, notice);
  } else if (audience_.only_peer() != nullptr) {
    audience_.tell(notice);
  }
}

void Upstream::hear_log(const session::Notice& notice) {
  const auto level = level_of(notice);
  if (!level) return;
  auto* visit = visits_.owner(notice.about);
  if (visit == nullptr) {
    // With nothing under way it is about the server itself. With several clients it might tell one of another.
    if (visits_.count() == 0) return audience_.tell(notice);
    log(loop_.log, LogLevel::debug, options_.name, [&] {
      return "a log message was told to nobody, because " + std::to_string(visits_.count()) +
             " calls of several clients are under way";
    });
    return;
  }
  const auto& context = visit->call().context;
  if (context.back == nullptr) return;
  const bool asks_each_time = context.revision && context.revision->request_log_level;
  const auto wanted = asks_each_time ? context.caller->log_level : audience_.level(context.conversation);
  if (asks_each_time ? wanted && *level >= *wanted : !wanted || *level >= *wanted) {
    visit->tell(notice.method, notice.params);
  }
}

}  // namespace fairlead::gateway
