#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/handler.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "transport/http_server/http_session.hpp"
#include "transport/http_server/response_channel.hpp"
#include "transport/http_server/response_writer.hpp"

namespace fairlead::transport {

/// The response to the requests of one POST in a session: JSON if the response is the first message, else an event
/// stream. Becomes an event stream after `keep_alive` without a message.
class SessionPostResponse final : public http::LaterAnswer,
                                  public std::enable_shared_from_this<SessionPostResponse>,
                                  private ResponseChannel::Writer {
 public:
  SessionPostResponse(EventLoop loop, std::shared_ptr<HttpSession> session, Received body, Duration keep_alive);
  SessionPostResponse(const SessionPostResponse&) = delete;
  SessionPostResponse& operator=(const SessionPostResponse&) = delete;
  ~SessionPostResponse() override;

  /// `ready` may be empty if `write` is awaited next.
  void start(std::function<void()> ready) override;
  std::optional<http::Response> whole() override;
  Task<void> serve(http::Exchange& exchange) override;

  /// `headers` are added to an event stream.
  Task<Written> write(http::Exchange& exchange, std::vector<http::Header> headers = {});

 private:
  void on_wake(ResponseChannel::Wake how) override;
  void notify_ready();

  EventLoop loop_;
  std::shared_ptr<HttpSession> session_;
  Received body_;
  Duration keep_alive_;
  std::shared_ptr<ResponseChannel> channel_ = std::make_shared<ResponseChannel>();
  std::uint32_t number_ = 0;  // Number of the stream of this response.
  StreamStart start_;
  std::optional<http::Response> refused_;
  std::function<void()> ready_;
  Timer keep_alive_timer_;
};

}  // namespace fairlead::transport
