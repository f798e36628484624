#pragma once

#include <fairlead/http/handler.hpp>
#include <fairlead/transport/host.hpp>
#include <fairlead/transport/transport.hpp>
#include <memory>
#include <optional>

#include "transport/http_server/brought.hpp"
#include "transport/http_server/lane.hpp"
#include "transport/http_server/pump.hpp"

namespace fairlead::transport {

/// A conversation of one request: it comes, and when it is answered the conversation is over.
class OneShot : public Brought {
 public:
  explicit OneShot(jsonrpc::Request request)
      : lane_(std::make_shared<Lane>()), id_(request.id), request_(std::move(request)) {}

  Task<Result<void>> send(Outgoing outgoing) override;
  bool send_now(Outgoing& outgoing) override;
  void close() noexcept override { closed_ = true; }

  /// Where the answer is said.
  const std::shared_ptr<Lane>& lane() const { return lane_; }
  const jsonrpc::Id& id() const { return id_; }
  jsonrpc::Request take_request() { return std::move(request_); }

  /// How the answer, and what is said before it, look on the wire.
  virtual void finish(jsonrpc::Message answer) = 0;
  virtual void tell(const jsonrpc::Message&) {}

 private:
  std::shared_ptr<Lane> lane_;
  jsonrpc::Id id_;
  jsonrpc::Request request_;  // Until it is taken.
  bool answered_ = false;
  bool closed_ = false;
};

/// Has the host answer, and writes what it says. A client that goes away gives up on its request.
Task<void> serve_once(http::Exchange& exchange, Host& host, Guest guest, OneShot& shot, StreamStart start);

/// A request of a stateless revision.
class StatelessShot final : public OneShot {
 public:
  using OneShot::OneShot;
  void finish(jsonrpc::Message answer) override;
  void tell(const jsonrpc::Message& message) override;
};

}  // namespace fairlead::transport
