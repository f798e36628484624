#pragma once

#include <atomic>
#include <cstddef>
#include <fairlead/session/session.hpp>
#include <fairlead/transport/host.hpp>

namespace fairlead::session {

/// Gives every guest of a listener a session of its own with one service.
class SessionHost final : public transport::Host {
 public:
  /// `service` and `log` outlive it, and it outlives its guests. `options` are every session's; principal and name are
  /// the guest's.
  SessionHost(Service& service, LogSink& log, SessionOptions options = {});

  std::unique_ptr<transport::Hosted> open(Loop loop, transport::Transport& transport, transport::Guest guest) override;
  std::optional<jsonrpc::Message> answer_now(jsonrpc::Request& request, const transport::Guest& guest) override;
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override;
  std::span<const std::string> wanted_luggage() const override { return wanted_; }

  /// Which header fields services see in `RequestContext::luggage`. On the loop that serves, if there is one already.
  void want_luggage(std::vector<std::string> names) { wanted_ = std::move(names); }

  /// How many there are now; those of a single request count while it is under way.
  std::size_t conversations() const { return conversations_.load(std::memory_order_relaxed); }

 private:
  Service& service_;
  LogSink& log_;
  const SessionOptions options_;
  const SessionOptions without_handshake_;  // The same for who only calls tools.
  std::vector<std::string> wanted_;
  std::atomic<std::size_t> conversations_ = 0;
};

}  // namespace fairlead::session
