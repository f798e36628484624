#pragma once

#include <fairlead/transport/host.hpp>
#include <fairlead/transport/transport.hpp>

namespace fairlead::transport {

/// A transport that only sends: what the peer says comes in requests, which are brought to the host as they come.
class Brought : public Transport {
 public:
  Task<Result<Received>> receive() final {
    co_return fail(ErrorKind::closed, "what the peer says is brought, not received");
  }
};

/// Opens a conversation, does `work` beside it, and lets it end; at once if the work has failed or was cancelled.
Task<void> converse(Hosted& hosted, Task<void> work);

}  // namespace fairlead::transport
