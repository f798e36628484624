#include "load/load_loop.hpp"

#include <array>
#include <cerrno>
#include <fairlead/base/descriptor.hpp>
#include <sys/epoll.h>
#include <vector>

namespace fairlead::load {
namespace {

constexpr double nanoseconds_a_second = 1e9;
constexpr int poll_interval_ms = 50;

/// One run. Does not own the connections.
class LoadLoop {
 public:
  LoadLoop(ConnectionSpan connections, const LoadLimits& limits, const std::atomic<bool>& stop)
      : limits_(limits), stop_(stop), poll_(::epoll_create1(EPOLL_CLOEXEC)), budget_{limits.calls} {
    for (const auto& connection : connections) entries_.push_back({.connection = connection.get()});
  }

  LoadResult run() {
    began_ = nanoseconds_now();
    for (auto& entry : entries_) open(entry);
    while (!over()) wait_and_dispatch();
    ended_ = nanoseconds_now();
    budget_.left = 0;
    const auto latest = ended_ + static_cast<std::uint64_t>(limits_.drain * nanoseconds_a_second);
    while (in_progress() > 0 && nanoseconds_now() < latest && !stop_) wait_and_dispatch();
    result_.stuck = in_progress();
    result_.seconds = static_cast<double>(ended_ - began_) / nanoseconds_a_second;
    return std::move(result_);
  }

 private:
  struct LoopEntry {
    LoadConnection* connection = nullptr;
    bool lost = false;
    bool writes = false;  ///< Registered for EPOLLOUT.
  };

  // The budget may be used up while calls are still in progress.
  bool over() const {
    if (stop_ || result_.lost == entries_.size()) return true;
    if (budget_.left == 0 && in_progress() == 0) return true;
    return static_cast<double>(nanoseconds_now() - began_) >= limits_.seconds * nanoseconds_a_second;
  }

  std::uint64_t in_progress() const {
    std::uint64_t sum = 0;
    for (const auto& entry : entries_) sum += entry.lost ? 0 : entry.connection->in_progress();
    return sum;
  }

  void watch(int operation, int descriptor, std::uint32_t events, const LoopEntry& entry) {
    epoll_event event{.events = events, .data = {.u32 = static_cast<std::uint32_t>(&entry - entries_.data())}};
    ::epoll_ctl(poll_.get(), operation, descriptor, &event);
  }

  void open(LoopEntry& entry) {
    watch(EPOLL_CTL_ADD, entry.connection->raw().in(), EPOLLIN, entry);
    update_registration(entry, entry.connection->begin(result_.counters, budget_));
  }

  void wait_and_dispatch() {
    std::array<epoll_event, 256> events;
    const int count = ::epoll_wait(poll_.get(), events.data(), static_cast<int>(events.size()), poll_interval_ms);
    for (int i = 0; i < count; ++i)
      on_event(entries_[events[static_cast<std::size_t>(i)].data.u32], events[static_cast<std::size_t>(i)].events);
  }

  void on_event(LoopEntry& entry, std::uint32_t events) {
    if (entry.lost) return;
    Result<void> done;
    if ((events & EPOLLOUT) != 0) done = entry.connection->flush();
    if (done && (events & ~EPOLLOUT) != 0) done = entry.connection->advance(result_.counters, budget_);
    update_registration(entry, done);
  }

  // Removes a failed connection; registers one with pending output for EPOLLOUT.
  void update_registration(LoopEntry& entry, const Result<void>& done) {
    const auto& raw = entry.connection->raw();
    if (!done) {
      result_.counters.fail(done.error().message);
      entry.lost = true;
      ++result_.lost;
      watch(EPOLL_CTL_DEL, raw.in(), 0, entry);
      if (entry.writes && raw.out() != raw.in()) watch(EPOLL_CTL_DEL, raw.out(), 0, entry);
      return;
    }
    if (entry.writes == entry.connection->has_output()) return;
    entry.writes = !entry.writes;
    if (raw.out() == raw.in()) {
      watch(EPOLL_CTL_MOD, raw.in(), entry.writes ? EPOLLIN | EPOLLOUT : EPOLLIN, entry);
    } else {
      watch(entry.writes ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, raw.out(), EPOLLOUT, entry);
    }
  }

  const LoadLimits& limits_;
  const std::atomic<bool>& stop_;
  Descriptor poll_;
  CallBudget budget_;
  std::vector<LoopEntry> entries_;
  LoadResult result_;
  std::uint64_t began_ = 0, ended_ = 0;
};

}  // namespace

LoadResult drive_connections(ConnectionSpan connections, const LoadLimits& limits, const std::atomic<bool>& stop) {
  return LoadLoop(connections, limits, stop).run();
}

}  // namespace fairlead::load
