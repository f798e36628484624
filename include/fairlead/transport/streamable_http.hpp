#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fairlead/base/loop.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/store/directory.hpp>
#include <fairlead/store/event_log.hpp>
#include <fairlead/transport/host.hpp>
#include <memory>
#include <optional>

namespace fairlead::transport {

/// Which kinds of revisions an endpoint serves.
enum class Eras : std::uint8_t {
  both,
  handshake,  ///< Those that open a session by `initialize`.
  stateless,  ///< Those whose every request stands for itself.
};

struct StreamableHttpOptions {
  Eras eras = Eras::both;
  bool allow_client_termination = true;  ///< DELETE ends a session; 405 otherwise.
  store::DirectoryLimits sessions = {};  ///< Of one worker.
  store::EventLogLimits log = {};        ///< Of one session.
  Duration keep_alive = std::chrono::seconds{15};
  std::chrono::milliseconds retry = std::chrono::seconds{1};  ///< After which a client resumes a stream.
  std::size_t workers = 1;  ///< How many there are, so that requests find the one of their session.
};

/// The one endpoint of Streamable HTTP, for sessions of the handshake revisions and for stateless requests, told apart
/// request by request. One worker's.
///
/// An answer is JSON if it is the first thing to be said, else a stream of events. A session is its principal's alone.
class StreamableHttp final : public http::Handler {
 public:
  /// `host` outlives it.
  StreamableHttp(Loop loop, std::size_t worker, Host& host, StreamableHttpOptions options = {});
  StreamableHttp(const StreamableHttp&) = delete;
  StreamableHttp& operator=(const StreamableHttp&) = delete;
  ~StreamableHttp() override;

  std::optional<http::Response> answer_now(http::Request& request) override;
  Task<void> serve(http::Exchange& exchange) override;
  std::optional<std::size_t> home(const http::Request& request) const override;

  /// Ends every session. Before it is destroyed, unless its loop has stopped.
  Task<void> close() override;

  std::size_t sessions() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead::transport
