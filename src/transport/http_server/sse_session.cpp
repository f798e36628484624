#include "transport/http_server/sse_session.hpp"

#include <utility>

#include "transport/http_server/jsonrpc_response.hpp"

namespace fairlead::transport {

Task<Result<void>> SseSession::send(Outgoing outgoing) {
  while (!closed_) {
    if (send_now(outgoing)) co_return Result<void>();
    co_await channel_->writable();
  }
  co_return fail(ErrorKind::closed, "the stream has ended");
}

bool SseSession::send_now(Outgoing& outgoing) {
  if (closed_ || channel_->full()) return false;
  channel_->write_message(jsonrpc::write(outgoing.message));
  return true;
}

void SseSession::close() noexcept {
  closed_ = true;
  channel_->end();
}

}  // namespace fairlead::transport
