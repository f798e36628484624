#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/transport/child.hpp>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace fairlead::session {
class Service;
}

namespace fairlead::client {

/// Where a server is; made from what people have at hand.
class Endpoint {
 public:
  /// A way of your own to a server. Called again when the way is lost.
  using Opener = std::function<Task<Result<std::unique_ptr<transport::Transport>>>(Loop)>;

  struct Address {
    std::string text;
  };
  using Place = std::variant<transport::ChildOptions, Address, session::Service*, Opener>;

  // Not explicit: `connect({"./server", "--flag"})` and `connect(server)` are how it is meant to be used.

  /// A program to start, and its arguments. No shell reads them.
  Endpoint(std::initializer_list<std::string> command);
  Endpoint(std::vector<std::string> command);
  Endpoint(transport::ChildOptions command);
  /// A URL, or `unix:<path>` or `tcp:<host>:<port>`, where lines are spoken. `http://` and `https://` are Streamable
  /// HTTP or, where the server knows no better, HTTP+SSE; `ws://` and `wss://` WebSocket; `rpc+http://`, `sse+http://`
  /// and `rpc+ws://`, also with https and wss, bare tool calls answered by JSON, by events or by frames.
  Endpoint(std::string address);
  Endpoint(const char* address);
  /// A server in this process, which outlives the client. Its handlers run on the client's loop.
  Endpoint(session::Service& server);
  Endpoint(Opener open);

  const Place& place() const { return place_; }

 private:
  Place place_;
};

}  // namespace fairlead::client
