#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/transport/session_factory.hpp>

namespace fairlead::transport {

struct ToolHttpOptions {
  bool stream = false;  ///< Respond with events: `result` for each content block, then `complete` or `error`.
  Duration timeout = Duration::zero();  ///< Time limit of a call, then 504; 0 for none.
  Duration heartbeat = std::chrono::seconds{15};
};

/// Tool calls over plain HTTP: one POST per call, without a handshake. Requests and responses follow closed JSON
/// schemas; the HTTP status tells the outcome.
class ToolHttp final : public http::Handler {
 public:
  /// `factory` outlives it.
  ToolHttp(EventLoop loop, SessionFactory& factory, ToolHttpOptions options = {})
      : loop_(loop), factory_(factory), options_(options) {}

  Task<http::Response> handle(http::Request& request) override;

 private:
  EventLoop loop_;
  SessionFactory& factory_;
  ToolHttpOptions options_;
};

}  // namespace fairlead::transport
