#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/handler.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "transport/http_server/http_session.hpp"
#include "transport/http_server/lane.hpp"
#include "transport/http_server/pump.hpp"

namespace fairlead::transport {

/// The answer to what a session is asked in one POST: whole if it is the first thing to be said, else a stream of
/// events. One that lets wait for `keep_alive` becomes a stream too.
class SessionAnswer final : public http::LaterAnswer,
                            public std::enable_shared_from_this<SessionAnswer>,
                            private Lane::Writer {
 public:
  SessionAnswer(Loop loop, std::shared_ptr<HttpSession> session, Received body, Duration keep_alive);
  SessionAnswer(const SessionAnswer&) = delete;
  SessionAnswer& operator=(const SessionAnswer&) = delete;
  ~SessionAnswer() override;

  /// For whoever awaits `write` next, `ready` may be empty.
  void start(std::function<void()> ready) override;
  std::optional<http::Response> whole() override;
  Task<void> serve(http::Exchange& exchange) override;

  /// The headers are those of a stream.
  Task<Written> write(http::Exchange& exchange, std::vector<http::Header> headers = {});

 private:
  void go_on(Lane::Wake how) override;
  void tell();

  Loop loop_;
  std::shared_ptr<HttpSession> session_;
  Received body_;
  Duration keep_alive_;
  std::shared_ptr<Lane> lane_ = std::make_shared<Lane>();
  std::uint32_t number_ = 0;  // Of the stream on which it is said.
  StreamStart start_;
  std::optional<http::Response> refused_;
  std::function<void()> ready_;
  Timer patience_;
};

}  // namespace fairlead::transport
