#include "gateway/record/replay_client.hpp"

#include <algorithm>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/gateway/transformers.hpp>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "gateway/middleware/pause.hpp"
#include "gateway/record/ear.hpp"
#include "gateway/record/replay_judge.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

struct ReplayedCall {
  ReplayedCall(Bell& bell, Call asked) : ear(bell), call(std::move(asked)) { call.context.back = &ear; }

  Ear ear;
  Call call;
  std::size_t begun = 0;
  std::optional<Result<Reply>> outcome = {};
  TaskScope::Handle task = {};
};

struct ReplayedConversation {
  explicit ReplayedConversation(Bell& bell) : ear(bell) {}

  Ear ear;
  std::uint64_t key = session::new_conversation_key();
  std::unique_ptr<session::Attendance> attendance = {};
  std::set<std::string> changed = {};  ///< Lists of which it was told.
};

/// The recorded clients, all of them. On one loop.
class ReplayedClients {
 public:
  ReplayedClients(Loop loop, Service& server, Recording recording, ReplayClientOptions options)
      : loop_(loop),
        server_(server),
        recording_(std::move(recording)),
        options_(std::move(options)),
        judge_(recording_, options_.ignore, options_.lenient),
        bell_(loop.executor) {}

  Task<ReplayReport> run() {
    co_await with_scope(loop_.log, "replay", [this](TaskScope& tasks) { return act(tasks); });
    co_return ReplayReport{.calls = calls_.size(), .compared = compared_, .differences = judge_.take()};
  }

 private:
  Task<void> act(TaskScope& tasks) {
    const auto start = loop_.timers.clock().now();
    for (std::size_t index = 0; index < recording_.lines.size(); ++index) {
      co_await its_time(start, recording_.lines[index]);
      co_await line(index, tasks);
    }
    for (const auto& [number, call] : calls_) judge_.leftovers(call->ear, call->begun);
    for (auto& [key, conversation] : conversations_) {
      judge_.leftovers(conversation->ear, std::nullopt);
      conversation->attendance.reset();
    }
    tasks.cancel();
  }

  Task<void> its_time(TimePoint start, const RecordLine& line) {
    if (options_.speed <= 0 || line.from != Speaker::client) co_return;
    const std::chrono::duration<double, std::micro> after(static_cast<double>(line.us) / options_.speed);
    const auto left = start + std::chrono::duration_cast<Duration>(after) - loop_.timers.clock().now();
    if (left > Duration{}) co_await pause(loop_.timers, left);
  }

  Task<void> line(std::size_t index, TaskScope& tasks) {
    const auto& said = recording_.lines[index];
    switch (said.kind) {
      case LineKind::open: conversation(said, tasks); break;
      case LineKind::close: close(said.conversation); break;
      case LineKind::call: begin(index, tasks); break;
      case LineKind::notice: return notify(said, tasks);
      case LineKind::answer: answer(said); break;
      case LineKind::ask:
      case LineKind::tell: return expect(index, tasks);
      case LineKind::reply: return end(index);
    }
    return nothing();
  }
  static Task<void> nothing() { co_return; }

  ReplayedConversation& conversation(const RecordLine& said, TaskScope& tasks) {
    auto& found = conversations_[said.conversation];
    if (found) return *found;
    found = std::make_unique<ReplayedConversation>(bell_);
    found->attendance = server_.attend({.key = found->key,
                                        .principal = said.principal.value_or(""),
                                        .peer = found->ear,
                                        .executor = loop_.executor,
                                        .tasks = tasks});
    return *found;
  }

  // What it has heard until then is kept: somebody may still want to look at it.
  void close(std::uint64_t recorded) {
    const auto found = conversations_.find(recorded);
    if (found != conversations_.end()) found->second->attendance.reset();
  }

  void begin(std::size_t index, TaskScope& tasks) {
    const auto& said = recording_.lines[index];
    const auto call = std::make_shared<ReplayedCall>(bell_, call_of_line(said));
    call->call.context.conversation = conversation(said, tasks).key;
    call->begun = index;
    calls_[*said.call] = call;
    call->task = tasks.spawn(make(call));
  }

  Call call_of_line(const RecordLine& said) const {
    Call call{.method = *said.method, .params = judge_.likeness().translated(said.params.value_or(json::Payload()))};
    call.context.revision = protocol::find_revision(said.revision.value_or(""));
    if (call.context.revision == nullptr) call.context.revision = &protocol::revisions().back();
    if (said.caller) call.context.caller = caller_of(*said.caller);
    call.context.principal = said.principal.value_or("");
    call.context.id = said.id;
    call.context.progress_token = said.progressToken;
    call.patience = {.idle = options_.patience, .cap = options_.patience};
    return call;
  }

  Task<void> make(std::shared_ptr<ReplayedCall> call) {
    struct AtTheEnd {
      AtTheEnd(ReplayedCall& of, Bell& with) : call(of), bell(with) {}
      AtTheEnd(const AtTheEnd&) = delete;
      AtTheEnd& operator=(const AtTheEnd&) = delete;
      ~AtTheEnd() {
        if (!call.outcome) call.outcome.emplace(fail(ErrorKind::cancelled, "cancelled"));
        bell.ring();
      }
      ReplayedCall& call;
      Bell& bell;
    } const at_the_end(*call, bell_);
    call->outcome.emplace(co_await server_.call(call->call));
  }

  Task<void> notify(const RecordLine& said, TaskScope& tasks) {
    session::Notice notice{.method = *said.method,
                           .params = judge_.likeness().translated(said.params.value_or(json::Payload())),
                           .revision = protocol::find_revision(said.revision.value_or("")),
                           .conversation = conversation(said, tasks).key};
    co_await server_.notify(notice);
  }

  void answer(const RecordLine& said) {
    const auto question = questions_.find(*said.ask);
    if (question == questions_.end()) return;
    question->second.answer->set(outcome_of(said));
    questions_.erase(question);
  }

  /// Waits until it is so; false when patience has ended.
  Task<bool> until(std::function<bool()> is_so) {
    bool late = false;
    Timer timer(loop_.timers, [this, &late] {
      late = true;
      bell_.ring();
    });
    timer.arm(Deadline::in(options_.patience, loop_.timers.clock()));
    while (!is_so() && !late) co_await bell_.wait();
    co_return is_so();
  }

  Task<void> expect(std::size_t index, TaskScope& tasks) {
    const auto& said = recording_.lines[index];
    const auto call = said.call ? calls_.at(*said.call) : nullptr;
    auto& ear = call ? call->ear : conversation(said, tasks).ear;
    ++compared_;
    // What a server tells of one list several times in a row is one piece of news, or two: that depends on the time.
    const bool is_old_news = !call && said.method->ends_with("/list_changed") &&
                             !conversation(said, tasks).changed.insert(*said.method).second;
    if (is_old_news && choose(ear, said) == ear.heard.end()) co_return;
    std::function<bool()> is_there = [&] { return choose(ear, said) != ear.heard.end() || (call && call->outcome); };
    co_await until(std::move(is_there));
    const auto chosen = choose(ear, said);
    if (chosen == ear.heard.end()) co_return judge_.differ(index, "did not come");
    judge_.compare(index, said.params.value_or(json::Payload()), chosen->params, false);
    if (said.kind == LineKind::ask) questions_[*said.ask] = std::move(*chosen);
    ear.heard.erase(chosen);
  }

  /// What this line is about: the first of its kind, or where the order does not matter the first that is the same.
  std::list<Heard>::iterator choose(Ear& ear, const RecordLine& said) {
    const auto is_like = [&](const Heard& each) { return each.kind == said.kind && each.method == *said.method; };
    const auto first = std::ranges::find_if(ear.heard, is_like);
    if (!options_.lenient) return first;
    const auto same = std::ranges::find_if(ear.heard, [&](const Heard& each) {
      return is_like(each) && judge_.are_alike(said.params.value_or(json::Payload()), each.params);
    });
    return same != ear.heard.end() ? same : first;
  }

  Task<void> end(std::size_t index) {
    const auto& said = recording_.lines[index];
    const auto call = calls_.at(*said.call);
    ++compared_;
    const bool given_up = said.error && said.error->kind == ErrorKind::cancelled;
    if (given_up) call->task.cancel();
    std::function<bool()> is_over = [&] {
      refuse_questions(*call, index);
      return call->outcome.has_value();
    };
    const bool over = co_await until(std::move(is_over));
    if (given_up) co_return;
    if (!over) {
      call->task.cancel();
      co_return judge_.differ(index, "no answer came");
    }
    judge_.compare(index, outcome_of(said), *call->outcome, is_metadata(call->call.method));
  }

  // All that were recorded have been answered; a server would wait for these for ever.
  void refuse_questions(ReplayedCall& call, std::size_t index) {
    for (auto each = call.ear.heard.begin(); each != call.ear.heard.end();) {
      if (each->kind != LineKind::ask) {
        ++each;
        continue;
      }
      judge_.differ(index, each->method + " was not asked then");
      each->answer->set(fail(ErrorKind::refused, "nobody has recorded an answer to that"));
      each = call.ear.heard.erase(each);
    }
  }

  Loop loop_;
  Service& server_;
  Recording recording_;
  ReplayClientOptions options_;
  ReplayJudge judge_;
  Bell bell_;
  std::size_t compared_ = 0;
  std::map<std::uint64_t, std::shared_ptr<ReplayedCall>> calls_;
  std::map<std::uint64_t, std::unique_ptr<ReplayedConversation>> conversations_;
  std::map<std::uint64_t, Heard> questions_;
};

}  // namespace

Task<ReplayReport> replay_as_client(Loop loop, Service& server, Recording recording, ReplayClientOptions options) {
  ReplayedClients clients(loop, server, std::move(recording), std::move(options));
  co_return co_await clients.run();
}

}  // namespace fairlead::gateway
