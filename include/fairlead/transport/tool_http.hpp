#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/transport/host.hpp>
#include <optional>
#include <string_view>

namespace fairlead::transport {

struct ToolHttpOptions {
  bool stream = false;                  ///< Answer with events: `result` for each piece, then `complete` or `error`.
  Duration timeout = Duration::zero();  ///< After which a call is answered with 504; 0 never.
  Duration heartbeat = std::chrono::seconds{15};
};

/// Tool calls over plain HTTP, one POST each, without any handshake. Both ways keep to closed schemas, and HTTP's
/// status tells how it went.
class ToolHttp final : public http::Handler {
 public:
  /// `host` outlives it.
  explicit ToolHttp(Host& host, ToolHttpOptions options = {}) : host_(host), options_(options) {}

  std::optional<http::Response> answer_now(http::Request& request) override;
  Task<void> serve(http::Exchange& exchange) override;

 private:
  Host& host_;
  ToolHttpOptions options_;
};

}  // namespace fairlead::transport
