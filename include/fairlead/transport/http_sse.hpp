#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/store/directory.hpp>
#include <fairlead/transport/host.hpp>
#include <memory>
#include <optional>
#include <string>

namespace fairlead::transport {

struct HttpSseOptions {
  std::string base = {};  ///< What a proxy has put before our paths; clients have to say it too.
  std::string messages = "/messages";
  std::size_t max_streams = 10'000;  ///< Of one worker.
  Duration keep_alive = std::chrono::seconds{15};
  std::size_t workers = 1;
};

/// The transport before Streamable HTTP: GET opens a stream, whose first event names the address to post to; what is
/// posted there is answered on the stream. The conversation lasts as long as the stream. Serves both paths, on one
/// worker.
class HttpSse final : public http::Handler {
 public:
  /// `host` outlives it.
  HttpSse(Loop loop, std::size_t worker, Host& host, HttpSseOptions options = {});
  HttpSse(const HttpSse&) = delete;
  HttpSse& operator=(const HttpSse&) = delete;
  ~HttpSse() override;

  std::optional<http::Response> answer_now(http::Request& request) override;
  Task<void> serve(http::Exchange& exchange) override;
  std::optional<std::size_t> home(const http::Request& request) const override;

  std::size_t streams() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead::transport
