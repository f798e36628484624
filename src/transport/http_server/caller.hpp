#pragma once

#include <chrono>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/identity.hpp>
#include <fairlead/http/message.hpp>
#include <fairlead/transport/session_factory.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace fairlead::transport {

/// The client that sent a request.
inline PeerInfo peer_info(const http::Request& request, std::string name) {
  return {.principal = request.principal,
          .name = std::move(name),
          .identity = request.identity,
          .access_token = request.access_token};
}

/// How long a stream that the request opens may last: until its token expires, and a minute for the client to open
/// another one with a new token. Nothing for credentials that do not expire.
inline std::optional<Duration> stream_lifetime(const http::Request& request) {
  constexpr std::chrono::minutes grace{1};
  if (!request.identity || !request.identity->expires) return std::nullopt;
  const auto left = *request.identity->expires + grace - std::chrono::system_clock::now();
  return std::max<Duration>(std::chrono::duration_cast<Duration>(left), std::chrono::seconds{1});
}

/// Calls `end` when the lifetime of a stream is over.
class ExpiryTimer {
 public:
  ExpiryTimer(const EventLoop& loop, std::optional<Duration> lifetime, std::function<void()> end) {
    if (!lifetime) return;
    timer_.emplace(loop.timers, std::move(end));
    timer_->arm(Deadline::in(*lifetime, loop.timers.clock()));
  }

 private:
  std::optional<Timer> timer_;
};

}  // namespace fairlead::transport
