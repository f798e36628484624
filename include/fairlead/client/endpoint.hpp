#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/transport/child.hpp>
#include <initializer_list>
#include <variant>

namespace fairlead::session {
class Service;
}

namespace fairlead::client {

/// Where to find a server: a command, an address, a service in this process, or a function that opens a transport.
class Endpoint {
 public:
  /// Opens a custom transport. Called again to reconnect.
  using Opener = std::function<Task<Result<std::unique_ptr<transport::Transport>>>(EventLoop)>;

  struct Address {
    std::string text;
  };
  using Location = std::variant<transport::ChildOptions, Address, session::Service*, Opener>;

  // Not explicit, to allow `connect({"./server", "--flag"})` and `connect(server)`.

  /// A program to start and its arguments. Not interpreted by a shell.
  Endpoint(std::initializer_list<std::string> command);
  Endpoint(std::vector<std::string> command);
  Endpoint(transport::ChildOptions command);
  /// A URL, or `unix:<path>` or `tcp:<host>:<port>` for newline-delimited JSON. `http://` and `https://` use Streamable
  /// HTTP and fall back to HTTP+SSE; `ws://` and `wss://` use WebSocket. `rpc+http://`, `sse+http://` and `rpc+ws://`,
  /// also with https and wss, use the plain tool-call protocol with JSON, events or frames as results.
  Endpoint(std::string address);
  Endpoint(const char* address);
  /// A service in this process. It outlives the client; its handlers run on the client's event loop.
  Endpoint(session::Service& server);
  Endpoint(Opener open);

  const Location& location() const { return location_; }

 private:
  Location location_;
};

}  // namespace fairlead::client
