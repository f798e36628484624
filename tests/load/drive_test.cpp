#include "load/drive.hpp"

#include <array>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace fairlead::load::drive_test {
namespace {

using testing::HasSubstr;

/// What a server says to a request's number; nothing to hang up, an empty text to say nothing.
using Answer = std::function<std::optional<std::string>(std::uint32_t id)>;

std::string echoed(std::uint32_t id) {
  const auto number = std::to_string(id);
  return R"({"id":)" + number + R"(,"result":{"text":"me-)" + number + "\"}}\n";
}

/// A server of lines at the other end of a socket, on a thread of its own until the socket closes.
class LineServer {
 public:
  explicit LineServer(Answer answer) : answer_(std::move(answer)) {
    std::array<int, 2> ends = {};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    near_ = Descriptor(ends[0]);
    thread_ = std::jthread([this, far = ends[1]] { serve(Descriptor(far)); });
  }

  std::unique_ptr<Lane> lane(unsigned in_flight = 1) {
    return std::make_unique<Lane>(LaneParts{.line = ByteLine(std::move(near_), {}),
                                            .reader = std::make_unique<LineReader>(),
                                            .request = RequestText("{id}\n"),
                                            .expected = {.echo = "me-"},
                                            .in_flight = in_flight});
  }

 private:
  void serve(const Descriptor& far) const {
    std::string input;
    std::array<char, 4096> buffer;
    for (auto size = ::read(far.get(), buffer.data(), buffer.size()); size > 0;
         size = ::read(far.get(), buffer.data(), buffer.size())) {
      input.append(buffer.data(), static_cast<std::size_t>(size));
      for (auto end = input.find('\n'); end != std::string::npos; end = input.find('\n')) {
        const auto said = answer_(static_cast<std::uint32_t>(std::stoul(input.substr(0, end))));
        input.erase(0, end + 1);
        if (!said) return;
        if (::send(far.get(), said->data(), said->size(), MSG_NOSIGNAL) < 0) return;
      }
    }
  }

  Answer answer_;
  Descriptor near_;
  std::jthread thread_;
};

/// As long as it takes: what ends a run here is never the clock.
constexpr Bounds so_many(std::uint64_t calls) {
  return {.seconds = 3600, .calls = calls, .patience = 60};
}

Driven drive_one(std::unique_ptr<Lane> lane, const Bounds& bounds, bool stopped = false) {
  const std::atomic<bool> stop = stopped;
  const std::array lanes{std::move(lane)};
  return drive(lanes, bounds, stop);
}

TEST(Drive, MakesAsManyCallsAsItMay) {
  LineServer server(echoed);
  const auto driven = drive_one(server.lane(), so_many(100));
  EXPECT_EQ(driven.tally.latency.count(), 100U);
  EXPECT_EQ(driven.tally.failures, 0U);
  EXPECT_EQ(driven.stuck, 0U);
}

TEST(Drive, KeepsManyUnderWayAndTakesAnswersInAnyOrder) {
  std::string held;
  LineServer server([&](std::uint32_t id) -> std::optional<std::string> {
    // Every second answer waits for the one behind it.
    if (held.empty()) {
      held = echoed(id);
      return "";
    }
    return echoed(id) + std::exchange(held, {});
  });
  const auto driven = drive_one(server.lane(4), so_many(200));
  EXPECT_EQ(driven.tally.latency.count(), 200U);
  EXPECT_EQ(driven.tally.failures, 0U);
}

TEST(Drive, ServesAllLanes) {
  LineServer some(echoed), more(echoed);
  const std::atomic<bool> stop = false;
  const std::array lanes{some.lane(), more.lane()};
  const auto driven = drive(lanes, so_many(300), stop);
  EXPECT_EQ(driven.tally.latency.count(), 300U);
}

TEST(Drive, CountsAnswersThatAreWrong) {
  LineServer server([](std::uint32_t id) {
    auto text = echoed(id);
    if (id % 2 == 0) text.replace(text.find("me-"), 3, "you");
    return std::optional(text);
  });
  const auto driven = drive_one(server.lane(), so_many(10));
  EXPECT_EQ(driven.tally.latency.count(), 5U);
  EXPECT_EQ(driven.tally.failures, 5U);
  EXPECT_THAT(driven.tally.first_failure, HasSubstr("not the one that was sent"));
}

TEST(Drive, CountsAnswersToOthers) {
  LineServer server([](std::uint32_t id) { return std::optional(echoed(id + 1) + echoed(id)); });
  const auto driven = drive_one(server.lane(), so_many(3));
  EXPECT_EQ(driven.tally.latency.count(), 3U);
  EXPECT_EQ(driven.tally.failures, 3U);
}

TEST(Drive, EndsWhenEverybodyHasHungUp) {
  int left = 5;
  LineServer server([&](std::uint32_t id) { return left-- > 0 ? std::optional(echoed(id)) : std::nullopt; });
  const auto driven = drive_one(server.lane(), so_many(1000));
  EXPECT_EQ(driven.lost, 1U);
  EXPECT_EQ(driven.tally.latency.count(), 5U);
  EXPECT_THAT(driven.tally.first_failure, HasSubstr("closed"));
}

TEST(Drive, GivesUpOnWhatNobodyAnswers) {
  LineServer server([](std::uint32_t) { return std::optional<std::string>(""); });
  const auto driven = drive_one(server.lane(3), {.seconds = 0.01, .calls = 100, .patience = 0.01});
  EXPECT_EQ(driven.stuck, 3U);
  EXPECT_EQ(driven.tally.latency.count(), 0U);
}

TEST(Drive, StopsWhenTold) {
  LineServer server([](std::uint32_t) { return std::optional<std::string>(""); });
  const auto driven = drive_one(server.lane(), so_many(1000), true);
  EXPECT_EQ(driven.tally.latency.count(), 0U);
}

}  // namespace
}  // namespace fairlead::load::drive_test
