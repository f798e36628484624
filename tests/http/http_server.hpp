#pragma once

#include <fairlead/base/log_sinks.hpp>
#include <fairlead/http/listener.hpp>
#include <memory>
#include <utility>

#include "http/sample_handler.hpp"
#include "support/raw_client.hpp"

namespace fairlead::test {

/// A listener on its own threads, for blocking clients.
class HttpServer {
 public:
  explicit HttpServer(http::ListenOptions options = {}, std::size_t workers = 1)
      : workers_(workers, log_),
        listener_(workers_, log_, std::move(options), [this](const EventLoop&, std::size_t worker) {
          return std::make_unique<SampleHandler>(seen_, worker);
        }) {
    opened_ = listener_.open();
    if (!opened_) ADD_FAILURE() << opened_.error().message;
    workers_.start();
  }

  RawClient connect() { return RawClient(listener_.port()); }
  RawAnswer send_request(std::string_view method, std::string_view target, std::string_view lines = "",
                         std::string_view body = "") {
    auto client = connect();
    client.send_request(method, target, lines, body);
    return client.answer();
  }

  http::Listener& listener() { return listener_; }
  Workers& workers() { return workers_; }
  HandlerLog& seen() { return seen_; }
  CapturingSink& log() { return log_; }

 private:
  CapturingSink log_;
  HandlerLog seen_;
  Workers workers_;
  http::Listener listener_;
  Result<void> opened_;
};

}  // namespace fairlead::test
