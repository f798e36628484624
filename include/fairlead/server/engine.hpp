#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <memory>
#include <string>
#include <string_view>

namespace fairlead {
class LogSink;
}

namespace fairlead::server {

class Server;
struct EngineState;

struct EngineOptions {
  std::string principal = {};            ///< Authenticated caller; empty if not authenticated.
  LogSink* log = nullptr;                ///< Outlives the engine. Null: no log.
  std::size_t max_output = 1024 * 1024;  ///< Bytes. Handlers wait while more output is pending.
};

/// Serves one session without an event loop, threads or sockets: the caller passes bytes in and takes bytes out.
///
/// Accepts newline-delimited and Content-Length framing, as on stdio. All work happens inside the calls, on the calling
/// thread. Call `poll` or `wait` regularly: they process timeouts, finished blocking handlers and change notifications.
/// Not thread-safe.
class Engine : NonCopyable {
 public:
  /// `server` outlives the engine. Throws std::invalid_argument if a registration failed.
  explicit Engine(Server& server, EngineOptions options = {});
  /// Closes the session and waits for running blocking handlers.
  ~Engine();

  /// Passes in bytes from the client, in pieces of any size.
  void feed(std::string_view bytes);
  /// Returns the bytes to send to the client. Empty if there are none now.
  std::string take_output();
  /// Signals the end of the client's input. Pending requests are still answered.
  void end_input();

  /// Processes pending work without waiting.
  void poll();
  /// Waits until there is output or the session has ended, at most `at_most`.
  void wait(Duration at_most);

  /// True once the input has ended, every request is answered and all output is taken.
  bool ended() const;

 private:
  std::unique_ptr<EngineState> state_;
};

}  // namespace fairlead::server
