#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/store/session_table.hpp>
#include <fairlead/transport/session_factory.hpp>

namespace fairlead::transport {

struct HttpSseOptions {
  std::string base = {};  ///< Path prefix of a reverse proxy, which clients must send too.
  std::string messages = "/messages";
  std::size_t max_streams = 10'000;  ///< Per worker.
  Duration keep_alive = std::chrono::seconds{15};
  std::size_t workers = 1;
};

struct HttpSseHandlerState;

/// Server of HTTP+SSE, the transport of revision 2024-11-05. GET opens an event stream whose first event names the URL
/// to post to; responses to posted messages are sent on the stream. The session lasts as long as the stream. Handles
/// both paths, on one worker.
class HttpSse final : public http::Handler, NonCopyable {
 public:
  /// `factory` outlives it.
  HttpSse(EventLoop loop, std::size_t worker, SessionFactory& factory, HttpSseOptions options = {});
  ~HttpSse() override;

  Task<http::Response> handle(http::Request& request) override;
  std::optional<std::size_t> preferred_worker(const http::Request& request) const override;

  std::size_t streams() const;

 private:
  std::unique_ptr<HttpSseHandlerState> state_;
};

}  // namespace fairlead::transport
