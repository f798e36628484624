#include "load/load_loop.hpp"

#include <array>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace fairlead::load::load_loop_test {
namespace {

using testing::HasSubstr;

/// The response to a call id; nothing: close the connection; empty: no response.
using Answer = std::function<std::optional<std::string>(std::uint32_t id)>;

std::string echoed(std::uint32_t id) {
  const auto number = std::to_string(id);
  return R"({"id":)" + number + R"(,"result":{"text":"me-)" + number + "\"}}\n";
}

/// A newline-delimited server on a socket pair, on its own thread until the socket closes.
class LineServer {
 public:
  explicit LineServer(Answer answer) : answer_(std::move(answer)) {
    std::array<int, 2> ends = {};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    near_ = Descriptor(ends[0]);
    thread_ = std::jthread([this, far = ends[1]] { serve(Descriptor(far)); });
  }

  std::unique_ptr<LoadConnection> connection(unsigned in_flight = 1) {
    return std::make_unique<LoadConnection>(ConnectionParts{.raw = RawConnection(std::move(near_), {}),
                                                            .reader = std::make_unique<LineAnswerReader>(),
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
        const auto reply = answer_(static_cast<std::uint32_t>(std::stoul(input.substr(0, end))));
        input.erase(0, end + 1);
        if (!reply) return;
        if (::send(far.get(), reply->data(), reply->size(), MSG_NOSIGNAL) < 0) return;
      }
    }
  }

  Answer answer_;
  Descriptor near_;
  std::jthread thread_;
};

/// Only the number of calls ends these runs, never the time.
constexpr LoadLimits call_limit(std::uint64_t calls) {
  return {.seconds = 3600, .calls = calls, .drain = 60};
}

LoadResult drive_connection(std::unique_ptr<LoadConnection> connection, const LoadLimits& limits,
                            bool stopped = false) {
  const std::atomic<bool> stop = stopped;
  const std::array connections{std::move(connection)};
  return drive_connections(connections, limits, stop);
}

TEST(LoadLoop, StopsAtTheCallLimit) {
  LineServer server(echoed);
  const auto result = drive_connection(server.connection(), call_limit(100));
  EXPECT_EQ(result.counters.latency.count(), 100U);
  EXPECT_EQ(result.counters.failures, 0U);
  EXPECT_EQ(result.stuck, 0U);
}

TEST(LoadLoop, KeepsCallsInFlightAndAcceptsAnswersInAnyOrder) {
  std::string held;
  LineServer server([&](std::uint32_t id) -> std::optional<std::string> {
    // Sends answers in pairs, in reverse order.
    if (held.empty()) {
      held = echoed(id);
      return "";
    }
    return echoed(id) + std::exchange(held, {});
  });
  const auto result = drive_connection(server.connection(4), call_limit(200));
  EXPECT_EQ(result.counters.latency.count(), 200U);
  EXPECT_EQ(result.counters.failures, 0U);
}

TEST(LoadLoop, DrivesAllConnections) {
  LineServer some(echoed), more(echoed);
  const std::atomic<bool> stop = false;
  const std::array connections{some.connection(), more.connection()};
  const auto result = drive_connections(connections, call_limit(300), stop);
  EXPECT_EQ(result.counters.latency.count(), 300U);
}

TEST(LoadLoop, CountsWrongAnswers) {
  LineServer server([](std::uint32_t id) {
    auto text = echoed(id);
    if (id % 2 == 0) text.replace(text.find("me-"), 3, "you");
    return std::optional(text);
  });
  const auto result = drive_connection(server.connection(), call_limit(10));
  EXPECT_EQ(result.counters.latency.count(), 5U);
  EXPECT_EQ(result.counters.failures, 5U);
  EXPECT_THAT(result.counters.first_failure, HasSubstr("not the text that was sent"));
}

TEST(LoadLoop, CountsAnswersWithUnknownIds) {
  LineServer server([](std::uint32_t id) { return std::optional(echoed(id + 1) + echoed(id)); });
  const auto result = drive_connection(server.connection(), call_limit(3));
  EXPECT_EQ(result.counters.latency.count(), 3U);
  EXPECT_EQ(result.counters.failures, 3U);
}

TEST(LoadLoop, EndsWhenAllConnectionsAreClosed) {
  int left = 5;
  LineServer server([&](std::uint32_t id) { return left-- > 0 ? std::optional(echoed(id)) : std::nullopt; });
  const auto result = drive_connection(server.connection(), call_limit(1000));
  EXPECT_EQ(result.lost, 1U);
  EXPECT_EQ(result.counters.latency.count(), 5U);
  EXPECT_THAT(result.counters.first_failure, HasSubstr("closed"));
}

TEST(LoadLoop, CountsUnansweredCallsAfterTheTimeout) {
  LineServer server([](std::uint32_t) { return std::optional<std::string>(""); });
  const auto result = drive_connection(server.connection(3), {.seconds = 0.01, .calls = 100, .drain = 0.01});
  EXPECT_EQ(result.stuck, 3U);
  EXPECT_EQ(result.counters.latency.count(), 0U);
}

TEST(LoadLoop, StopFlagEndsTheRun) {
  LineServer server([](std::uint32_t) { return std::optional<std::string>(""); });
  const auto result = drive_connection(server.connection(), call_limit(1000), true);
  EXPECT_EQ(result.counters.latency.count(), 0U);
}

}  // namespace
}  // namespace fairlead::load::load_loop_test
