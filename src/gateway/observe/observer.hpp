#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/session/service.hpp>
#include <string>

#include "gateway/observe/outcome.hpp"

namespace fairlead::gateway {

/// A place of the gateway at which calls are seen.
enum class Hop : std::uint8_t {
  front,   ///< Between a client and the chain: the whole time that a client waits.
  server,  ///< Between the chain and a server: what the server itself takes.
};

/// A call that passes such a place. One call passes `front` once, and `server` as often as servers are asked for it.
struct Sight {
  Hop hop = Hop::front;
  std::string server = {};  ///< Empty at the front where it is none's in particular.
  std::string method = {};
  std::string about = {};  ///< The tool, prompt or resource.
  bool listed = false;     ///< `about` is a tool that was listed here, or has answered: no caller has made it up.
  std::string caller = {};
  const protocol::Revision* revision = nullptr;
  std::uint64_t conversation = 0;
  TimePoint begun = {};
  TimePoint ended = {};
  Outcome outcome = {};
  std::size_t bytes_in = 0;
  std::size_t bytes_out = 0;
  std::string trace = {};   ///< Its own place in a trace, as a `traceparent`, where calls are traced.
  std::string params = {};  ///< What was asked, without secrets, where an observer has put it here.
};

/// Sees every call at both places. On the gateway's loop.
class Observer {
 public:
  virtual ~Observer() = default;

  /// Before the call goes on; may change its `_meta`, and fill in `Sight::trace`.
  virtual void begins(session::Call&, Sight&) {}

  /// It has its answer, or was given up on. May set what the answer takes along (`RequestContext::returns`).
  virtual void ended(session::Call&, const Sight&) = 0;
};

}  // namespace fairlead::gateway
