#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/store/event_log.hpp>
#include <fairlead/store/session_table.hpp>
#include <fairlead/transport/session_factory.hpp>

namespace fairlead::transport {

/// Protocol revisions that an endpoint serves.
enum class Eras : std::uint8_t {
  both,
  handshake,  ///< Revisions with sessions, opened by `initialize`.
  stateless,  ///< Revisions without sessions.
};

struct StreamableHttpOptions {
  Eras eras = Eras::both;
  bool allow_client_termination = true;     ///< True: DELETE ends a session. False: 405.
  store::SessionTableLimits sessions = {};  ///< Per worker.
  store::EventLogLimits log = {};           ///< Per session.
  Duration keep_alive = std::chrono::seconds{15};
  /// Sent to clients as `retry`: delay before they resume a stream.
  std::chrono::milliseconds retry = std::chrono::seconds{1};
  std::size_t workers = 1;  ///< Number of workers, to route requests to the worker of their session.
};

struct StreamableHttpState;

/// Streamable HTTP endpoint of one worker, for sessions and for stateless requests; detected per request.
///
/// The response is JSON if it is the first message to send, else an event stream. A session can only be used by the
/// principal that opened it.
class StreamableHttp final : public http::Handler, NonCopyable {
 public:
  /// `factory` outlives it.
  StreamableHttp(EventLoop loop, std::size_t worker, SessionFactory& factory, StreamableHttpOptions options = {});
  ~StreamableHttp() override;

  Task<http::Response> handle(http::Request& request) override;
  std::optional<std::size_t> preferred_worker(const http::Request& request) const override;

  /// Ends all sessions. Call it before destruction, unless the loop has stopped.
  Task<void> close() override;

  std::size_t sessions() const;

 private:
  std::unique_ptr<StreamableHttpState> state_;
};

}  // namespace fairlead::transport
