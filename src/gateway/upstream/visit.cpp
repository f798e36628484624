#include "gateway/upstream/visit.hpp"

#include <algorithm>
#include <exception>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <iterator>
#include <utility>
#include <vector>

#include "base/promise.hpp"

namespace fairlead::gateway {
struct Visit::Question {
  std::string method;
  json::Payload params;
  Promise<Result<session::Reply>> answer = {};
  TaskScope::Handle task = {};
};

Visit::Visit(Visits& all, const session::Call& call)
    : all_(all), call_(call), place_(all.all_.insert(all.all_.end(), this)) {}

Visit::~Visit() {
  if (was_asked()) --all_.asked_;
  all_.all_.erase(place_);
}

Task<Result<session::Reply>> Visit::ask(std::string method, json::Payload params) {
  if (call_.context.back == nullptr) co_return fail(ErrorKind::refused, "there is nobody to ask");
  const auto question = std::make_shared<Question>(Question{std::move(method), std::move(params)});
  if (!was_asked()) {
    questions_ = std::make_unique<TaskScope>(all_.loop_.executor, all_.loop_.log, "question");
    waiting_ = std::make_shared<std::size_t>(0);
    answered_ = std::make_shared<TimePoint>();
    ++all_.asked_;
  }
  question->task = questions_->spawn(put(*call_.context.back, question));
  if (!question->task) co_return fail(ErrorKind::closed, "the call that this question belongs to has ended");
  const auto waiting = waiting_;
  const auto answered = answered_;
  const auto& clock = all_.loop_.timers.clock();
  ++*waiting;
  last_question_ = clock.now();
  Result<session::Reply> given_up = fail(ErrorKind::cancelled, "the server has withdrawn its question");
  auto answer = co_await question->answer.wait(std::move(given_up));
  --*waiting;
  *answered = clock.now();
  question->task.cancel();
  co_return answer;
}

TimePoint Visit::waited_for_caller() const {
  if (waits()) return all_.loop_.timers.clock().now();
  return answered_ ? *answered_ : TimePoint{};
}

// Called from where the server is read, which goes on for the others.
void Visit::tell(std::string_view method, const json::Payload& params) const try {
  if (call_.context.back) call_.context.back->tell_now(method, params);
} catch (const std::exception& thrown) {
  log(all_.loop_.log, LogLevel::error, "gateway",
      [&] { return std::string(method) + " could not be told to a caller: " + thrown.what(); });
}

Task<void> Visit::put(session::Backchannel& back, std::shared_ptr<Question> question) {
  // However this ends, whoever waits for the answer goes on.
  struct AtTheEnd {
    explicit AtTheEnd(Question& of) : question(of) {}
    AtTheEnd(const AtTheEnd&) = delete;
    AtTheEnd& operator=(const AtTheEnd&) = delete;
    ~AtTheEnd() { question.answer.set(fail(ErrorKind::closed, "the call that this question belongs to has ended")); }
    Question& question;
  } const at_the_end(*question);
  auto answer = co_await back.ask(question->method, question->params);
  question->answer.set(std::move(answer));
}

Task<void> Visit::end() {
  if (!questions_) co_return;
  questions_->cancel();
  co_await questions_->join();
}

Visit* Visits::find(const jsonrpc::Id& id) const {
  const auto found = std::ranges::find_if(all_, [&](const Visit* visit) { return visit->id() == id; });
  return found == all_.end() ? nullptr : *found;
}

Visit* Visits::latest_of(const CallerId& caller) const {
  std::vector<Visit*> suspects;
  const auto add_if = [&](bool lists) {
    std::ranges::copy_if(all_, std::back_inserter(suspects),
                         [&](const Visit* visit) { return visit->lists() == lists && visit->caller() == caller; });
  };
  add_if(false);
  if (suspects.empty()) add_if(true);
  if (suspects.empty()) return nullptr;
  const auto last = suspects.back()->call().context.conversation;
  Visit* found = nullptr;
  bool one_session = true, one_that_talks = true;
  for (auto* visit : suspects) {
    const auto session = visit->call().context.conversation;
    one_session = one_session && session == last;
    if (visit->waits()) continue;
    one_that_talks = one_that_talks && (found == nullptr || found->call().context.conversation == session);
    found = visit;
  }
  if (one_session) return found ? found : suspects.back();
  return one_that_talks ? found : nullptr;
}

bool Visits::has(std::uint64_t conversation) const {
  return std::ranges::any_of(all_,
                             [&](const Visit* visit) { return visit->call().context.conversation == conversation; });
}

std::set<CallerId> Visits::callers() const {
  std::set<CallerId> callers;
  for (const auto* visit : all_) {
    if (!visit->lists()) callers.insert(visit->caller());
  }
  return callers;
}

std::set<CallerId> Visits::callers_of_lists() const {
  std::set<CallerId> callers;
  for (const auto* visit : all_) {
    if (visit->lists() && visit->call().context.conversation != 0) callers.insert(visit->caller());
  }
  return callers;
}

std::uint64_t Visits::newest_besides(std::uint64_t conversation) const {
  std::uint64_t newest = 0;
  for (const auto* visit : all_) {
    const auto key = visit->call().context.conversation;
    if (key != conversation && is_client_key(key)) newest = std::max(newest, key);
  }
  return newest;
}

Duration Visits::restless(std::uint64_t conversation) const {
  if (asked_ == 0) return {};
  constexpr Duration to_settle = std::chrono::milliseconds{50};
  const auto now = loop_.timers.clock().now();
  Duration longest = {};
  for (const auto* visit : all_) {
    if (!visit->waits() || visit->call().context.conversation == conversation) continue;
    longest = std::max(longest, visit->last_question_ + to_settle - now);
  }
  return longest;
}

}  // namespace fairlead::gateway
