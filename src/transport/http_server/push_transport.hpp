#pragma once

#include <fairlead/transport/session_factory.hpp>
#include <fairlead/transport/transport.hpp>

namespace fairlead::transport {

/// A transport that only sends: messages of the peer arrive in HTTP requests and are passed to
/// `ServerSession::on_message`.
class PushTransport : public Transport {
 public:
  Task<Result<Received>> receive() final {
    co_return fail(ErrorKind::closed, "this transport only sends: messages arrive by on_message");
  }
};

/// Opens a session, runs `work`, and ends the session; closes it at once if `work` fails or is cancelled.
Task<void> run_session(ServerSession& session, Task<void> work);

}  // namespace fairlead::transport
