#include "gateway/observe/observing_middleware.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/model/methods.hpp>

#include "gateway/model/backend_lookup.hpp"
#include "gateway/model/list_items.hpp"
#include "gateway/model/request_target.hpp"

namespace fairlead::gateway {

namespace {

constexpr std::size_t max_known_tools = 20'000;

// The outcome that the client gets for an exception; a cancelled call ends with one too.
Outcome outcome_of_exception() {
  try {
    throw;
  } catch (const boost::system::system_error& error) {
    if (error.code() == boost::asio::error::operation_aborted) return cancelled_outcome();
  } catch (...) {  // Below.
  }
  return {.code = jsonrpc::code::internal_error, .message = "an exception"};
}

}  // namespace

void ObserverList::add(std::shared_ptr<Observer> observer) {
  auto more = now_ ? *now_ : List();
  more.push_back(std::move(observer));
  now_ = std::make_shared<const List>(std::move(more));
}

void ObserverList::remove(const Observer& observer) {
  auto fewer = now_ ? *now_ : List();
  std::erase_if(fewer, [&](const auto& each) { return each.get() == &observer; });
  now_ = fewer.empty() ? nullptr : std::make_shared<const List>(std::move(fewer));
}

/// One observed call. Reports its end exactly once.
class ObservingMiddleware::ObservedCall : NonCopyable {
 public:
  ObservedCall(ObservingMiddleware& middleware, Call& call, const Service& next,
               std::shared_ptr<const ObserverList::List> observers)
      : middleware_(middleware), call_(call), next_(next), observers_(std::move(observers)) {
    kind_ = middleware_.start_record(record_, call_, next_);
    for (const auto& observer : *observers_) observer->on_start(call_, record_);
  }
  // A cancelled coroutine is destroyed without a reply.
  ~ObservedCall() {
    if (!ended_) end(cancelled_outcome());
  }

  void finish_record(const Result<Reply>& reply) { middleware_.finish_record(record_, kind_, next_, reply); }

  void end(const Result<Reply>& reply) {
    if (reply) record_.bytes_out = reply->body.text().size();
    end(outcome_of(reply, record_.revision, middleware_.observers_->redactor()));
  }
  void end(Outcome outcome) {
    ended_ = true;
    record_.outcome = std::move(outcome);
    record_.end = middleware_.clock_.now();
    for (const auto& observer : *observers_) observer->on_end(call_, record_);
  }

 private:
  ObservingMiddleware& middleware_;
  Call& call_;
  const Service& next_;
  std::shared_ptr<const ObserverList::List> observers_;
  CallRecord record_;
  std::optional<ListKind> kind_;  // Kind of the target.
  bool ended_ = false;
};

Task<Result<Reply>> ObservingMiddleware::observed(Call& call, Service& next,
                                                  std::shared_ptr<const ObserverList::List> observers) {
  ObservedCall passing(*this, call, next, std::move(observers));
  try {
    auto reply = co_await next.call(call);
    passing.finish_record(reply);
    passing.end(reply);
    co_return reply;
  } catch (...) {
    passing.end(outcome_of_exception());
    throw;
  }
}

// The target is found by reading the params once.
std::optional<ListKind> ObservingMiddleware::start_record(CallRecord& record, const Call& call,
                                                          const Service& next) const {
  auto target = target_of(call);
  const auto kind = target ? std::optional(target->kind) : std::nullopt;
  record.hop = post_.hop;
  record.method = call.method;
  if (target) record.target = std::move(target->named.name);
  record.server = server_of(kind, record.target, next);
  record.listed = tools_.contains(record.target);
  record.caller = call.context.principal;
  record.revision = call.context.revision;
  record.session_key = call.context.session_key;
  record.start = clock_.now();
  record.bytes_in = call.params.text().size();
  return kind;
}

std::string ObservingMiddleware::server_of(std::optional<ListKind> kind, std::string_view target,
                                           const Service& next) const {
  if (!post_.server.empty()) return post_.server;
  if (!kind) return {};
  return (backends_ ? (*backends_)(*kind, target) : backend_name_of(next, *kind, target)).value_or("");
}

// The lists may have arrived during the call.
void ObservingMiddleware::finish_record(CallRecord& record, std::optional<ListKind> kind, const Service& next,
                                        const Result<Reply>& reply) {
  if (record.server.empty()) record.server = server_of(kind, record.target, next);
  if (reply && !post_.plain) learn(record, *reply);
  if (!record.listed) record.listed = tools_.contains(record.target);
}

void ObservingMiddleware::learn(const CallRecord& record, const Reply& reply) {
  const auto add = [&](const std::string& name) {
    if (tools_.size() < max_known_tools) tools_.insert(name);
  };
  if (record.method == protocol::CallTool::method && !record.listed && !is_tool_failure(reply)) add(record.target);
  if (record.method != protocol::ListTools::method) return;
  // Clients often request the same list again.
  const auto list = std::hash<std::string_view>()(reply.body.text());
  if (std::exchange(last_list_, list) == list) return;
  for_each_item(reply.body, ListKind::tools, [&](std::string_view, const std::string& name) { add(name); });
}

}  // namespace fairlead::gateway
