#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/client.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bell.hpp"
#include "gateway/observe/span.hpp"

namespace fairlead::gateway {

struct OtlpOptions {
  std::string endpoint = "http://localhost:4318";  ///< `/v1/traces` comes behind it.
  std::string service = "fairlead";
  std::vector<http::Header> headers = {};             ///< Secrets, usually.
  std::size_t batch = 512;                            ///< Spans sent at once,
  Duration delay = std::chrono::seconds{1};           ///< or fewer, after so long.
  std::size_t most_waiting = 4096;                    ///< More are lost.
  Duration timeout = std::chrono::seconds{10};        ///< Of a request.
  Duration first_pause = std::chrono::seconds{1};     ///< After a failure, doubled each time, up to
  Duration longest_pause = std::chrono::seconds{30};  ///< this.
  std::size_t tries = 8;                              ///< Then those spans are lost.
  Duration farewell = std::chrono::seconds{3};        ///< For what is left at the end.
};

/// Sends spans to a receiver of OTLP over HTTP, in JSON, some at a time. Whoever adds one never waits. On one loop.
class Otlp {
 public:
  using Post = std::function<Task<Result<http::ClientResponse>>(http::ClientRequest)>;

  /// Without `post` it has a client of its own.
  Otlp(Loop loop, OtlpOptions options, Post post = {});
  Otlp(const Otlp&) = delete;
  Otlp& operator=(const Otlp&) = delete;

  void add(const Span& span);

  /// How many spans nobody has got, or will get.
  std::uint64_t lost() const { return lost_; }

  /// Sends what is left, as far as there is time. To be awaited before it is destroyed; nothing is added after it.
  Task<void> stop();

 private:
  /// What came of sending.
  struct Verdict {
    enum class Kind : std::uint8_t { delivered, again, hopeless };
    Kind kind = Kind::delivered;
    std::string why = {};
    Duration wait = {};  ///< At least so long, before it is tried again.
  };

  void send_soon();
  void begin_sending();
  Task<void> send_all();
  Task<void> deliver(std::string body, std::size_t count);
  Task<Verdict> try_once(std::string body);
  Task<void> rest(Duration time);
  Task<Result<void>> finished();
  Verdict judge(const Result<http::ClientResponse>& answer);
  void delivered();
  void in_trouble(std::string_view why);
  void lose(std::uint64_t count, std::string_view why);

  Loop loop_;
  OtlpOptions options_;
  std::string url_;
  std::string shown_url_;
  Post post_;
  std::unique_ptr<http::Client> client_;
  std::deque<std::string> waiting_;
  Timer timer_;
  Bell wake_;
  TaskScope scope_;
  std::uint64_t lost_ = 0, lost_before_trouble_ = 0;
  std::size_t under_way_ = 0;
  bool sending_ = false, stopping_ = false;
  bool troubled_ = false, told_of_losses_ = false;
};

}  // namespace fairlead::gateway
