#include "gateway/merge/listing.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <exception>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fmt/format.h>
#include <utility>

namespace fairlead::gateway {

Listing::Listing(Loop loop, TaskScope& tasks, std::shared_ptr<Member> member, ListKind kind, bool lazy,
                 const ListingOptions& options)
    : loop_(std::move(loop)),
      tasks_(tasks),
      member_(std::move(member)),
      kind_(kind),
      lazy_(lazy),
      options_(options),
      pause_(options.first_retry),
      again_(loop_.timers, [this] { refresh(); }) {}

void Listing::restore(MemberList list) {
  list.hints = {};
  last_ = std::make_shared<const MemberList>(std::move(list));
  restored_ = true;
}

bool Listing::due() const {
  const auto& clock = loop_.timers.clock();
  if (in_flight_ || !not_before_.passed(clock)) return false;
  if (!last_ || stale_) return true;
  if (lazy_ && !member_->awake()) return false;
  return restored_ || until_.passed(clock);
}

void Listing::refresh() {
  if (in_flight_) return;
  in_flight_ = true;
  late_ = false;
  announced_ = std::exchange(stale_, false);
  again_.disarm();
  if (!tasks_.spawn(fly(shared_from_this()))) in_flight_ = false;
}

void Listing::heard_of_change() {
  // Everybody who attends a server hears the same of it, one after the other.
  if (std::exchange(just_heard_, true)) return;
  boost::asio::post(loop_.executor, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->just_heard_ = false;
  });
  stale_ = true;
  // What is under way may be older than the change: asked again when it has landed.
  if (in_flight_) return;
  if (not_before_.passed(loop_.timers.clock())) return refresh();
  again_.arm(not_before_);
}

void Listing::mark_late(Duration waited) {
  const auto seconds = std::chrono::duration<double>(waited).count();
  late_ = in_flight_;
  if (in_flight_) set_trouble(fmt::format("no answer to {} within {:g} s", form_of(kind_).method, seconds));
}

CacheHints Listing::hints() const {
  CacheHints left;
  if (!last_ || restored_ || stale_ || !trouble_.empty()) return left;
  left = last_->hints;
  const auto rest = std::chrono::floor<std::chrono::milliseconds>(hint_.remaining(loop_.timers.clock()));
  if (left.ttl) left.ttl = std::min(*left.ttl, rest);
  return left;
}

Task<void> Listing::fly(std::shared_ptr<Listing> self) {
  const auto until = Deadline::in(self->options_.give_up, self->loop_.timers.clock());
  Result<MemberList> fetched = fail(ErrorKind::closed, "the fetch of the list broke off");
  std::exception_ptr thrown;
  try {
    fetched = co_await with_deadline(self->loop_.timers, until, self->fetch());
  } catch (...) {
    thrown = std::current_exception();
  }
  self->in_flight_ = false;
  // Nobody waits any more, and nobody failed.
  if (!self->tasks_.cancelled()) self->land(std::move(fetched));
  if (thrown) std::rethrow_exception(thrown);
}

Task<Result<MemberList>> Listing::fetch() {
  auto described = co_await member_->describe();
  if (!described) co_return std::unexpected(std::move(described.error()));
  if (!is_offered(kind_, described->capabilities)) co_return MemberList();
  co_return co_await fetch_list(*member_, kind_, options_.limits);
}

void Listing::land(Result<MemberList> fetched) {
  const auto before = last_;
  const Landing landing{.changed = fetched && (!before || before->items != fetched->items),
                        .announced = announced_,
                        .overtaken = stale_ && !announced_};
  if (fetched) {
    keep(std::move(*fetched));
  } else {
    failed(fetched.error());
  }
  if (stale_) again_.arm(not_before_);
  // A copy: whoever hears it may set another one.
  const auto tell = tell_;
  if (tell) tell(landing);
}

void Listing::keep(MemberList list) {
  const auto& clock = loop_.timers.clock();
  until_ = good_until(list.hints);
  hint_ = list.hints.ttl ? until_ : Deadline::never();
  last_ = std::make_shared<const MemberList>(std::move(list));
  restored_ = false;
  pause_ = options_.first_retry;
  // Only what the server causes has to wait; who lists may list as often as the hints allow.
  not_before_ = announced_ ? Deadline::in(options_.settle, clock) : Deadline::at(TimePoint{});
  if (trouble_.empty()) return;
  trouble_.clear();
  log(loop_.log, LogLevel::info, member_->name(),
      [&] { return fmt::format("{} answers again", form_of(kind_).method); });
}

void Listing::failed(const Error& error) {
  // That a server cannot be reached has been logged once, by who tried, and not for each list.
  const bool is_known = json::member_of(error.data, "reason") == R"("unreachable")";
  set_trouble(fmt::format("{}: {}", form_of(kind_).method, error.message),
              is_known ? LogLevel::debug : LogLevel::warning);
  not_before_ = Deadline::in(pause_, loop_.timers.clock());
  pause_ = std::min(pause_ * 2, options_.last_retry);
  // A lazy server is asked again by whoever wants something of it.
  if (!lazy_ || stale_ || announced_) again_.arm(not_before_);
}

// Told once, until it is good again.
void Listing::set_trouble(std::string why, LogLevel level) {
  const bool first = trouble_.empty();
  trouble_ = std::move(why);
  if (!first) return;
  const char* instead = last_ ? "; its last good list is used" : "; it is left out until it answers";
  log(loop_.log, level, member_->name(), [&] { return trouble_ + instead; });
}

Deadline Listing::good_until(const CacheHints& hints) const {
  // Whatever a server says: what it forgets to take back must not stay for ever.
  constexpr std::chrono::milliseconds longest = std::chrono::hours{24};
  const auto& clock = loop_.timers.clock();
  if (hints.ttl) return Deadline::in(std::min(*hints.ttl, longest), clock);
  const auto* known = member_->known();
  if (known && is_announced(kind_, known->capabilities)) return Deadline::never();
  return Deadline::in(options_.unannounced, clock);
}

}  // namespace fairlead::gateway
