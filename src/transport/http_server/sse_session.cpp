#include "transport/http_server/sse_session.hpp"

#include <utility>

#include "transport/http_server/rpc_answer.hpp"

namespace fairlead::transport {

Task<Result<void>> SseSession::send(Outgoing outgoing) {
  while (!closed_) {
    if (send_now(outgoing)) co_return Result<void>();
    co_await lane_->room();
  }
  co_return fail(ErrorKind::closed, "the stream has ended");
}

bool SseSession::send_now(Outgoing& outgoing) {
  if (closed_ || lane_->full()) return false;
  lane_->say_message(jsonrpc::write(outgoing.message));
  return true;
}

void SseSession::close() noexcept {
  closed_ = true;
  lane_->end();
}

}  // namespace fairlead::transport
