#pragma once

#include <fairlead/http/handler.hpp>
#include <fairlead/transport/session_factory.hpp>
#include <fairlead/transport/transport.hpp>
#include <memory>
#include <optional>

#include "transport/http_server/push_transport.hpp"
#include "transport/http_server/response_channel.hpp"
#include "transport/http_server/response_writer.hpp"

namespace fairlead::transport {

/// Transport of a session with a single request: the session ends with the response.
class SingleRequestTransport : public PushTransport {
 public:
  explicit SingleRequestTransport(jsonrpc::Request request)
      : channel_(std::make_shared<ResponseChannel>()), id_(request.id), request_(std::move(request)) {}

  Task<Result<void>> send(Outgoing outgoing) override;
  bool send_now(Outgoing& outgoing) override;
  void close() noexcept override { closed_ = true; }

  /// Channel of the HTTP response.
  const std::shared_ptr<ResponseChannel>& channel() const { return channel_; }
  const jsonrpc::Id& id() const { return id_; }
  jsonrpc::Request take_request() { return std::move(request_); }

  /// Serialize the response and the notifications before it.
  virtual void on_response(jsonrpc::Message answer) = 0;
  virtual void on_notification(const jsonrpc::Message&) {}

 private:
  std::shared_ptr<ResponseChannel> channel_;
  jsonrpc::Id id_;
  jsonrpc::Request request_;  // Until `take_request`.
  bool answered_ = false;
  bool closed_ = false;
};

/// Opens a session for the request and writes its output. The request is cancelled if the client disconnects.
Task<void> serve_single_request(http::Exchange& exchange, SessionFactory& factory, PeerInfo peer,
                                SingleRequestTransport& transport, StreamStart start);

/// A request of a stateless revision.
class StatelessRequestTransport final : public SingleRequestTransport {
 public:
  using SingleRequestTransport::SingleRequestTransport;
  void on_response(jsonrpc::Message answer) override;
  void on_notification(const jsonrpc::Message& message) override;
};

}  // namespace fairlead::transport
