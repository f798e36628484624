#include "gateway/record/replay_client.hpp"

#include <algorithm>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/gateway/transformers.hpp>
#include <set>
#include <utility>

#include "base/scope_exit.hpp"
#include "gateway/middleware/async_sleep.hpp"
#include "gateway/record/captured_channel.hpp"
#include "gateway/record/replay_verifier.hpp"

namespace fairlead::gateway {
namespace {

struct ReplayedCall {
  ReplayedCall(AsyncEvent& event, Call sent) : channel(event), call(std::move(sent)) { call.context.peer = &channel; }

  CapturedChannel channel;
  Call call;
  std::size_t call_line = 0;
  std::optional<Result<Reply>> outcome = {};
  TaskScope::Handle task = {};
};

struct ReplayedSession {
  explicit ReplayedSession(AsyncEvent& event) : channel(event) {}

  CapturedChannel channel;
  std::uint64_t key = session::new_session_key();
  std::unique_ptr<session::SessionHook> hook = {};
  std::set<std::string> changed = {};  ///< Lists whose change was reported.
};

/// Replays all recorded clients. On one loop.
class ReplayedClients {
 public:
  ReplayedClients(EventLoop loop, Service& server, Recording recording, ReplayClientOptions options)
      : loop_(loop),
        server_(server),
        recording_(std::move(recording)),
        options_(std::move(options)),
        verifier_(recording_, options_.ignore, options_.lenient),
        changed_(loop.executor) {}

  Task<ReplayReport> run() {
    co_await with_scope(loop_.log, "replay", [this](TaskScope& tasks) { return play_lines(tasks); });
    co_return ReplayReport{.calls = calls_.size(), .compared = compared_, .differences = verifier_.take()};
  }

 private:
  Task<void> play_lines(TaskScope& tasks) {
    const auto start = loop_.timers.clock().now();
    for (std::size_t index = 0; index < recording_.lines.size(); ++index) {
      co_await wait_until_due(start, recording_.lines[index]);
      co_await play_line(index, tasks);
    }
    for (const auto& [number, call] : calls_) verifier_.report_unexpected(call->channel, call->call_line);
    for (auto& [key, session] : sessions_) {
      verifier_.report_unexpected(session->channel, std::nullopt);
      session->hook.reset();
    }
    tasks.cancel();
  }

  Task<void> wait_until_due(TimePoint start, const RecordLine& line) {
    if (options_.speed <= 0 || line.from != Sender::client) co_return;
    const std::chrono::duration<double, std::micro> after(static_cast<double>(line.us) / options_.speed);
    const auto left = start + std::chrono::duration_cast<Duration>(after) - loop_.timers.clock().now();
    if (left > Duration{}) co_await async_sleep(loop_.timers, left);
  }

  Task<void> play_line(std::size_t index, TaskScope& tasks) {
    const auto& line = recording_.lines[index];
    switch (line.kind) {
      case LineKind::open: session_for(line, tasks); break;
      case LineKind::close: close(line.session); break;
      case LineKind::call: begin(index, tasks); break;
      case LineKind::notification: return notify(line, tasks);
      case LineKind::server_reply: answer(line); break;
      case LineKind::server_call:
      case LineKind::server_notification: return expect(index, tasks);
      case LineKind::reply: return end(index);
    }
    return {};
  }

  ReplayedSession& session_for(const RecordLine& line, TaskScope& tasks) {
    auto& found = sessions_[line.session];
    if (found) return *found;
    found = std::make_unique<ReplayedSession>(changed_);
    found->hook = server_.on_session_open(
        {.key = found->key, .principal = line.principal.value_or(""), .peer = found->channel, .tasks = tasks});
    return *found;
  }

  // Keeps the captured messages for the comparison.
  void close(std::uint64_t recorded) {
    const auto found = sessions_.find(recorded);
    if (found != sessions_.end()) found->second->hook.reset();
  }

  void begin(std::size_t index, TaskScope& tasks) {
    const auto& line = recording_.lines[index];
    const auto call = std::make_shared<ReplayedCall>(changed_, call_of_line(line));
    call->call.context.session_key = session_for(line, tasks).key;
    call->call_line = index;
    calls_[*line.call] = call;
    call->task = tasks.spawn(make(call));
  }

  Call call_of_line(const RecordLine& line) const {
    Call call{.method = *line.method,
              .params = verifier_.diff().with_current_ids(line.params.value_or(json::Payload()))};
    call.context.revision = protocol::find_revision(line.revision.value_or(""));
    if (call.context.revision == nullptr) call.context.revision = &protocol::revisions().back();
    if (line.caller) call.context.caller = caller_of(*line.caller);
    call.context.principal = line.principal.value_or("");
    call.context.id = line.id;
    call.context.progress_token = line.progressToken;
    call.timeouts = {.idle = options_.timeout, .total = options_.timeout};
    return call;
  }

  Task<void> make(std::shared_ptr<ReplayedCall> call) {
    const ScopeExit at_end([this, &call = *call] {
      if (!call.outcome) call.outcome.emplace(fail(ErrorKind::cancelled, "cancelled"));
      changed_.notify();
    });
    call->outcome.emplace(co_await server_.call(call->call));
  }

  Task<void> notify(const RecordLine& line, TaskScope& tasks) {
    session::Notification notice{.method = *line.method,
                                 .params = verifier_.diff().with_current_ids(line.params.value_or(json::Payload())),
                                 .revision = protocol::find_revision(line.revision.value_or("")),
                                 .session_key = session_for(line, tasks).key};
    co_await server_.notify(notice);
  }

  void answer(const RecordLine& line) {
    const auto request = server_calls_.find(*line.server_call);
    if (request == server_calls_.end()) return;
    const auto answer = std::move(request->second.answer);
    server_calls_.erase(request);
    answer->set(outcome_of(line));
  }

  /// Waits for a condition. False after the timeout.
  Task<bool> until(std::function<bool()> is_so) {
    bool late = false;
    Timer timer(loop_.timers, [this, &late] {
      late = true;
      changed_.notify();
    });
    timer.arm(Deadline::in(options_.timeout, loop_.timers.clock()));
    while (!is_so() && !late) co_await changed_.wait();
    co_return is_so();
  }

  Task<void> expect(std::size_t index, TaskScope& tasks) {
    const auto& line = recording_.lines[index];
    const auto call = line.call ? calls_.at(*line.call) : nullptr;
    auto& channel = call ? call->channel : session_for(line, tasks).channel;
    ++compared_;
    // Repeated list_changed notifications may be merged, depending on timing.
    const bool is_old_news = !call && line.method->ends_with("/list_changed") &&
                             !session_for(line, tasks).changed.insert(*line.method).second;
    if (is_old_news && choose(channel, line) == channel.messages.end()) co_return;
    std::function<bool()> is_there = [&] {
      return choose(channel, line) != channel.messages.end() || (call && call->outcome);
    };
    co_await until(std::move(is_there));
    const auto chosen = choose(channel, line);
    if (chosen == channel.messages.end()) co_return verifier_.add_difference(index, "is missing");
    verifier_.compare(index, line.params.value_or(json::Payload()), chosen->params, false);
    if (line.kind == LineKind::server_call) server_calls_[*line.server_call] = std::move(*chosen);
    channel.messages.erase(chosen);
  }

  /// Finds the message for a line: the first of its kind; if lenient, the first equal one.
  std::list<CapturedMessage>::iterator choose(CapturedChannel& channel, const RecordLine& line) {
    const auto is_like = [&](const CapturedMessage& each) {
      return each.kind == line.kind && each.method == *line.method;
    };
    const auto first = std::ranges::find_if(channel.messages, is_like);
    if (!options_.lenient) return first;
    const auto same = std::ranges::find_if(channel.messages, [&](const CapturedMessage& each) {
      return is_like(each) && verifier_.matches(line.params.value_or(json::Payload()), each.params);
    });
    return same != channel.messages.end() ? same : first;
  }

  Task<void> end(std::size_t index) {
    const auto& line = recording_.lines[index];
    const auto call = calls_.at(*line.call);
    ++compared_;
    const bool cancelled = line.error && line.error->kind == ErrorKind::cancelled;
    if (cancelled) call->task.cancel();
    std::function<bool()> is_closed = [&] {
      refuse_server_calls(*call, index);
      return call->outcome.has_value();
    };
    const bool over = co_await until(std::move(is_closed));
    if (cancelled) co_return;
    if (!over) {
      call->task.cancel();
      co_return verifier_.add_difference(index, "no reply came");
    }
    verifier_.compare(index, outcome_of(line), *call->outcome, is_metadata(call->call.method));
  }

  // All recorded server calls are answered; the server would wait for these forever.
  void refuse_server_calls(ReplayedCall& call, std::size_t index) {
    for (auto each = call.channel.messages.begin(); each != call.channel.messages.end();) {
      if (each->kind != LineKind::server_call) {
        ++each;
        continue;
      }
      verifier_.add_difference(index, each->method + " was not recorded");
      const auto answer = std::move(each->answer);
      each = call.channel.messages.erase(each);
      answer->set(fail(ErrorKind::refused, "the recording has no reply to this"));
    }
  }

  EventLoop loop_;
  Service& server_;
  Recording recording_;
  ReplayClientOptions options_;
  ReplayVerifier verifier_;
  AsyncEvent changed_;
  std::size_t compared_ = 0;
  std::map<std::uint64_t, std::shared_ptr<ReplayedCall>> calls_;
  std::map<std::uint64_t, std::unique_ptr<ReplayedSession>> sessions_;
  std::map<std::uint64_t, CapturedMessage> server_calls_;
};

}  // namespace

Task<ReplayReport> replay_as_client(EventLoop loop, Service& server, Recording recording, ReplayClientOptions options) {
  ReplayedClients clients(loop, server, std::move(recording), std::move(options));
  co_return co_await clients.run();
}

}  // namespace fairlead::gateway
