#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/transport/transport.hpp>

#include "transport/http_server/push_transport.hpp"
#include "transport/http_server/response_channel.hpp"

namespace fairlead::transport {

/// An HTTP+SSE session: one event stream and any number of POSTs.
class SseSession final : public PushTransport {
 public:
  SseSession(std::string id, std::string principal)
      : id_(std::move(id)), principal_(std::move(principal)), channel_(std::make_shared<ResponseChannel>()) {}

  void set_server_session(std::unique_ptr<ServerSession> session) { server_session_ = std::move(session); }
  ServerSession& server_session() { return *server_session_; }

  const std::string& id() const { return id_; }
  const std::string& principal() const { return principal_; }
  bool busy() const { return true; }
  const std::shared_ptr<ResponseChannel>& channel() const { return channel_; }

  Task<Result<void>> send(Outgoing outgoing) override;
  void close() noexcept override;

 private:
  Task<Result<void>> send_when_writable(Outgoing outgoing);

  std::string id_;
  std::string principal_;
  std::shared_ptr<ResponseChannel> channel_;
  std::unique_ptr<ServerSession> server_session_;
  bool closed_ = false;
};

}  // namespace fairlead::transport
