#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <memory>
#include <string>
#include <string_view>

namespace fairlead {
class LogSink;
}

namespace fairlead::server {

class Server;

struct EngineOptions {
  std::string principal = {};            ///< As whom the client was authenticated; empty for nobody.
  LogSink* log = nullptr;                ///< Outlives the engine. Null: nobody wants to know.
  std::size_t max_output = 1024 * 1024;  ///< In bytes; handlers that say more wait until it is taken.
};

/// A server's end of one conversation, without a loop, a thread or a socket: bytes go in, bytes come out.
///
/// Lines and counted messages are understood, as on stdio. Everything happens inside the calls, on the calling thread.
/// What comes without new bytes (a deadline, the end of a blocking handler, a change of the registry) happens in `poll`
/// and `wait`: call one of them now and then. Used by one thread at a time.
class Engine {
 public:
  /// `server` outlives the engine. Throws std::invalid_argument for mistakes of registration.
  explicit Engine(Server& server, EngineOptions options = {});
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  /// Ends the conversation, and waits for blocking handlers that still run.
  ~Engine();

  /// What the client sent, in pieces of any size.
  void feed(std::string_view bytes);
  /// What is to be sent to the client. Empty when there is nothing more for now.
  std::string take();
  /// The client has said all it will. What it asked for is still answered.
  void finish();

  /// Does what is due, without waiting.
  void poll();
  /// Waits until there is something to take or the conversation has ended, but no longer than this.
  void wait(Duration at_most);

  /// Whether everything was said, and taken: the client's last word, and the answers to it.
  bool ended() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead::server
