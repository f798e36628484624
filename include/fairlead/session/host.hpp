#pragma once

#include <fairlead/session/session.hpp>
#include <fairlead/transport/host.hpp>

namespace fairlead::session {

/// Gives every guest of a listener a session of its own with one service.
class SessionHost final : public transport::Host {
 public:
  /// `service` and `log` outlive it. `options` are every session's; principal and name are the guest's.
  SessionHost(Service& service, LogSink& log, SessionOptions options = {});

  std::unique_ptr<transport::Hosted> open(Loop loop, transport::Transport& transport, transport::Guest guest) override;
  std::optional<jsonrpc::Message> answer_now(jsonrpc::Request& request, const transport::Guest& guest) override;
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override;

 private:
  Service& service_;
  LogSink& log_;
  const SessionOptions options_;
  const SessionOptions without_handshake_;  // The same for who only calls tools.
};

}  // namespace fairlead::session
