#pragma once

#include <cstddef>
#include <fairlead/http/listener.hpp>
#include <fairlead/transport/http_front.hpp>
#include <memory>
#include <string>

namespace fairlead::session {
class Service;
struct SessionOptions;
}  // namespace fairlead::session

namespace fairlead::server {

struct HttpOptions {
  http::ListenOptions listen = {};
  transport::HttpFrontOptions front = {};
  std::size_t workers = 1;                   ///< Threads; 0 means one per core.
  Duration drain = std::chrono::seconds{5};  ///< For what is under way when it is stopped.
};

/// A service on one port, by every way to speak MCP over HTTP, on threads of its own. For programs that have a `main`
/// of their own; examples/http_in_your_program.cpp shows it.
class HttpServing {
 public:
  /// `service` and `log` outlive it.
  HttpServing(session::Service& service, LogSink& log, HttpOptions options, const session::SessionOptions& sessions);
  HttpServing(session::Service& service, LogSink& log, HttpOptions options = {});
  HttpServing(const HttpServing&) = delete;
  HttpServing& operator=(const HttpServing&) = delete;
  /// Stops.
  ~HttpServing();

  /// Takes the port and begins to answer.
  Result<void> start();

  /// After `start`: where it is, without a path.
  std::string url() const;

  /// Accepts no more, lets what is under way end within the drain, and returns when nothing runs any more.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead::server
