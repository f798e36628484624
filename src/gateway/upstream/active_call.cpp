#include "gateway/upstream/active_call.hpp"

#include <algorithm>
#include <exception>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <iterator>
#include <vector>

#include "base/promise.hpp"
#include "base/scope_exit.hpp"

namespace fairlead::gateway {
struct ActiveCall::ServerRequest {
  std::string method;
  json::Payload params;
  Promise<Result<session::Reply>> answer = {};
  TaskScope::Handle task = {};
};

ActiveCall::ActiveCall(ActiveCalls& all, const session::Call& call)
    : all_(all), call_(call), position_(all.all_.insert(all.all_.end(), this)) {}

ActiveCall::~ActiveCall() {
  if (has_server_requests()) --all_.with_server_requests_;
  all_.all_.erase(position_);
}

Task<Result<session::Reply>> ActiveCall::request(std::string method, json::Payload params) {
  if (call_.context.peer == nullptr)
    co_return fail(ErrorKind::refused, "no client is connected that could receive the request");
  const auto request = std::make_shared<ServerRequest>(ServerRequest{std::move(method), std::move(params)});
  if (!has_server_requests()) {
    server_requests_ = std::make_unique<TaskScope>(all_.loop_.executor, all_.loop_.log, "server requests");
    waiting_ = std::make_shared<std::size_t>(0);
    last_answer_ = std::make_shared<TimePoint>();
    ++all_.with_server_requests_;
  }
  request->task = server_requests_->spawn(send(*call_.context.peer, request));
  if (!request->task) co_return fail(ErrorKind::closed, "the call that this request belongs to has ended");
  const auto waiting = waiting_;
  const auto last_answer = last_answer_;
  const auto& clock = all_.loop_.timers.clock();
  ++*waiting;
  last_server_request_ = clock.now();
  auto answer = co_await request->answer.wait();
  --*waiting;
  *last_answer = clock.now();
  request->task.cancel();
  if (!answer) co_return fail(ErrorKind::cancelled, "the server has cancelled its request");
  // Not inside send(), which may be ending.
  co_await next_turn;
  co_return std::move(*answer);
}

TimePoint ActiveCall::last_client_wait() const {
  if (waits_for_client()) return all_.loop_.timers.clock().now();
  return last_answer_ ? *last_answer_ : TimePoint{};
}

// Runs in the reader of the connection, which other calls share: an exception must not end it.
void ActiveCall::notify(std::string_view method, const json::Payload& params) const try {
  // Dropped if the send queue of the client is full.
  if (call_.context.peer) static_cast<void>(call_.context.peer->notify(std::string(method), params));
} catch (const std::exception& thrown) {
  log(all_.loop_.log, LogLevel::error, "gateway",
      [&] { return std::string(method) + " could not be sent to a client: " + thrown.what(); });
}

Task<void> ActiveCall::send(session::PeerChannel& back, std::shared_ptr<ServerRequest> request) {
  // Resumes the waiter however this task ends.
  const ScopeExit resume(
      [&] { request->answer.set(fail(ErrorKind::closed, "the call that this request belongs to has ended")); });
  auto answer = co_await back.request(request->method, request->params);
  request->answer.set(std::move(answer));
}

Task<void> ActiveCall::cancel_requests() {
  if (!server_requests_) co_return;
  server_requests_->cancel();
  co_await server_requests_->join();
}

ActiveCall* ActiveCalls::find(const jsonrpc::Id& id) const {
  const auto found = std::ranges::find_if(all_, [&](const ActiveCall* active) { return active->id() == id; });
  return found == all_.end() ? nullptr : *found;
}

ActiveCall* ActiveCalls::attribute(const CallerId& caller) const {
  std::vector<ActiveCall*> candidates;
  const auto add_if = [&](bool lists) {
    std::ranges::copy_if(all_, std::back_inserter(candidates), [&](const ActiveCall* active) {
      return active->is_list_request() == lists && active->caller() == caller;
    });
  };
  add_if(false);
  if (candidates.empty()) add_if(true);
  if (candidates.empty()) return nullptr;
  const auto last = candidates.back()->call().context.session_key;
  ActiveCall* found = nullptr;
  bool one_session = true, one_not_waiting = true;
  for (auto* active : candidates) {
    const auto session = active->call().context.session_key;
    one_session = one_session && session == last;
    if (active->waits_for_client()) continue;
    one_not_waiting = one_not_waiting && (found == nullptr || found->call().context.session_key == session);
    found = active;
  }
  if (one_session) return found ? found : candidates.back();
  return one_not_waiting ? found : nullptr;
}

bool ActiveCalls::has(std::uint64_t session_key) const {
  return std::ranges::any_of(
      all_, [&](const ActiveCall* active) { return active->call().context.session_key == session_key; });
}

std::set<CallerId> ActiveCalls::callers() const {
  std::set<CallerId> callers;
  for (const auto* active : all_) {
    if (!active->is_list_request()) callers.insert(active->caller());
  }
  return callers;
}

std::set<CallerId> ActiveCalls::list_callers() const {
  std::set<CallerId> callers;
  for (const auto* active : all_) {
    if (active->is_list_request() && active->call().context.session_key != 0) callers.insert(active->caller());
  }
  return callers;
}

std::uint64_t ActiveCalls::newest_session_except(std::uint64_t session_key) const {
  std::uint64_t newest = 0;
  for (const auto* active : all_) {
    const auto key = active->call().context.session_key;
    if (key != session_key && is_client_key(key)) newest = std::max(newest, key);
  }
  return newest;
}

Duration ActiveCalls::settle_delay(std::uint64_t session_key) const {
  if (with_server_requests_ == 0) return {};
  constexpr Duration settle_time = std::chrono::milliseconds{50};
  const auto now = loop_.timers.clock().now();
  Duration longest = {};
  for (const auto* active : all_) {
    if (!active->waits_for_client() || active->call().context.session_key == session_key) continue;
    longest = std::max(longest, active->last_server_request_ + settle_time - now);
  }
  return longest;
}

}  // namespace fairlead::gateway
