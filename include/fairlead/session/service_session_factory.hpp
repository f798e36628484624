#pragma once

#include <atomic>
#include <fairlead/session/session.hpp>
#include <fairlead/transport/session_factory.hpp>

namespace fairlead::session {

/// Creates a session with one service for every client of a listener.
class ServiceSessionFactory final : public transport::SessionFactory {
 public:
  /// `service` outlives the factory, which outlives its sessions. Principal and name come from the client; the
  /// other `options` apply to every session.
  explicit ServiceSessionFactory(Service& service, SessionOptions options = {});

  std::unique_ptr<transport::ServerSession> open(EventLoop loop, transport::Transport& transport,
                                                 transport::PeerInfo peer) override;
  Task<jsonrpc::Message> respond(EventLoop loop, jsonrpc::Request request, transport::PeerInfo peer,
                                 transport::NotificationSink& notifications) override;
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override;
  std::span<const std::string> forwarded_header_names() const override { return wanted_; }

  /// Names of the HTTP headers that services receive in `RequestContext::request_headers`. Call on the loop that
  /// serves, or before serving.
  void forward_headers(std::vector<std::string> names) { wanted_ = std::move(names); }

  /// Number of open sessions, including those of single stateless requests.
  std::size_t active_sessions() const { return active_sessions_.load(std::memory_order_relaxed); }

 private:
  Service& service_;
  const SessionOptions options_;
  const SessionOptions without_handshake_;  // `options_` for clients that only call tools.
  std::vector<std::string> wanted_;
  std::atomic<std::size_t> active_sessions_ = 0;
};

}  // namespace fairlead::session
