#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <fairlead/session/service.hpp>

#include "gateway/model/outcome.hpp"

namespace fairlead::gateway {

/// Points at which calls are observed.
enum class Hop : std::uint8_t {
  front,   ///< Between client and chain: the whole time that a client waits.
  server,  ///< Between chain and server: the time of the server.
};

/// Record of a call at one point. A call passes `front` once and `server` once per server that is called.
struct CallRecord {
  Hop hop = Hop::front;
  std::string server = {};  ///< Empty at `front` if no single server owns the target.
  std::string method = {};
  std::string target = {};  ///< Name of the tool or prompt, or URI of the resource.
  bool listed = false;      ///< `target` is a tool that was listed or has answered, not a name invented by a caller.
  std::string caller = {};
  const protocol::Revision* revision = nullptr;
  std::uint64_t session_key = 0;
  TimePoint start = {};
  TimePoint end = {};
  Outcome outcome = {};
  std::size_t bytes_in = 0;
  std::size_t bytes_out = 0;
  std::string trace = {};   ///< Its `traceparent`, if calls are traced.
  std::string params = {};  ///< Redacted params, if an observer sets them.
};

/// Observes calls at both points. Called on the gateway's loop.
class Observer {
 public:
  virtual ~Observer() = default;

  /// Called before the call is forwarded. May change its `_meta` and set `CallRecord::trace`.
  virtual void on_start(session::Call&, CallRecord&) {}

  /// Called when the call has a reply or was cancelled. May set `RequestContext::response_headers`.
  virtual void on_end(session::Call&, const CallRecord&) = 0;
};

}  // namespace fairlead::gateway
