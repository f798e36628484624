#include "load/drive.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fairlead/base/descriptor.hpp>
#include <sys/epoll.h>
#include <vector>

namespace fairlead::load {
namespace {

constexpr double nanoseconds_a_second = 1e9;
constexpr int look_up_milliseconds = 50;

/// One run over lanes that somebody else keeps.
class Drive {
 public:
  Drive(std::span<const std::unique_ptr<Lane>> lanes, const Bounds& bounds, const std::atomic<bool>& stop)
      : bounds_(bounds), stop_(stop), poll_(::epoll_create1(EPOLL_CLOEXEC)), allowance_{bounds.calls} {
    for (const auto& lane : lanes) tracks_.push_back({.lane = lane.get()});
  }

  Driven run() {
    began_ = nanoseconds_now();
    for (auto& track : tracks_) open(track);
    while (!over()) turn();
    ended_ = nanoseconds_now();
    allowance_.left = 0;
    const auto latest = ended_ + static_cast<std::uint64_t>(bounds_.patience * nanoseconds_a_second);
    while (under_way() > 0 && nanoseconds_now() < latest && !stop_) turn();
    driven_.stuck = under_way();
    driven_.seconds = static_cast<double>(ended_ - began_) / nanoseconds_a_second;
    return std::move(driven_);
  }

 private:
  struct Track {
    Lane* lane = nullptr;
    bool lost = false;
    bool writes = false;  ///< Waits until it can write.
  };

  // Calls may be spent while their answers are still to come.
  bool over() const {
    if (stop_ || driven_.lost == tracks_.size()) return true;
    if (allowance_.left == 0 && under_way() == 0) return true;
    return static_cast<double>(nanoseconds_now() - began_) >= bounds_.seconds * nanoseconds_a_second;
  }

  std::uint64_t under_way() const {
    std::uint64_t sum = 0;
    for (const auto& track : tracks_) sum += track.lost ? 0 : track.lane->under_way();
    return sum;
  }

  void watch(int operation, int descriptor, std::uint32_t events, const Track& track) {
    epoll_event event{.events = events, .data = {.u32 = static_cast<std::uint32_t>(&track - tracks_.data())}};
    ::epoll_ctl(poll_.get(), operation, descriptor, &event);
  }

  void open(Track& track) {
    watch(EPOLL_CTL_ADD, track.lane->line().in(), EPOLLIN, track);
    settle(track, track.lane->begin(driven_.tally, allowance_));
  }

  void turn() {
    std::array<epoll_event, 256> events;
    const int count = ::epoll_wait(poll_.get(), events.data(), static_cast<int>(events.size()), look_up_milliseconds);
    for (int i = 0; i < count; ++i)
      on_event(tracks_[events[static_cast<std::size_t>(i)].data.u32], events[static_cast<std::size_t>(i)].events);
  }

  void on_event(Track& track, std::uint32_t events) {
    if (track.lost) return;
    Result<void> done;
    if ((events & EPOLLOUT) != 0) done = track.lane->flush();
    if (done && (events & ~EPOLLOUT) != 0) done = track.lane->advance(driven_.tally, allowance_);
    settle(track, done);
  }

  // A lane that broke is left out from now on; one that cannot write is told when it can.
  void settle(Track& track, const Result<void>& done) {
    const auto& line = track.lane->line();
    if (!done) {
      driven_.tally.fail(done.error().message);
      track.lost = true;
      ++driven_.lost;
      watch(EPOLL_CTL_DEL, line.in(), 0, track);
      if (track.writes && line.out() != line.in()) watch(EPOLL_CTL_DEL, line.out(), 0, track);
      return;
    }
    if (track.writes == track.lane->has_output()) return;
    track.writes = !track.writes;
    if (line.out() == line.in()) {
      watch(EPOLL_CTL_MOD, line.in(), track.writes ? EPOLLIN | EPOLLOUT : EPOLLIN, track);
    } else {
      watch(track.writes ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, line.out(), EPOLLOUT, track);
    }
  }

  const Bounds& bounds_;
  const std::atomic<bool>& stop_;
  Descriptor poll_;
  Allowance allowance_;
  std::vector<Track> tracks_;
  Driven driven_;
  std::uint64_t began_ = 0, ended_ = 0;
};

}  // namespace

Driven drive(std::span<const std::unique_ptr<Lane>> lanes, const Bounds& bounds, const std::atomic<bool>& stop) {
  return Drive(lanes, bounds, stop).run();
}

}  // namespace fairlead::load
