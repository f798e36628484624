#pragma once

#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/http/sse.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transport/http_server/lane.hpp"

namespace fairlead::transport {

/// How a stream of events begins and is kept alive.
struct StreamStart {
  std::unique_ptr<http::SseEvent> opening = {};  ///< The event that comes first; null for none.
  std::vector<http::Header> headers = {};
  Duration keep_alive = std::chrono::seconds{15};  ///< Silence after which a comment is written; 0 never.
  std::string_view comment = ": keep-alive\n\n";
  bool at_once = false;  ///< Begin before there is anything to say.
};

enum class Written : std::uint8_t {
  all,   ///< The answer is complete.
  some,  ///< The client has gone.
};

/// Writes what is said on a lane as the answer to a request, until the lane ends or the client goes. A lane that has
/// had nothing to say for `keep_alive` becomes a stream, so that nobody on the way takes it for dead.
Task<Written> pump(http::Exchange& exchange, std::shared_ptr<Lane> lane, StreamStart start);

/// Gives the whole answer at once.
Task<void> respond(http::Exchange& exchange, http::Response response);

}  // namespace fairlead::transport
