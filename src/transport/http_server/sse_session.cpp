#include "transport/http_server/sse_session.hpp"

#include <utility>

#include "transport/http_server/jsonrpc_response.hpp"

namespace fairlead::transport {

Task<Result<void>> SseSession::send(Outgoing outgoing) {
  if (closed_) return fail(ErrorKind::closed, "the stream has ended");
  if (channel_->full()) return send_when_writable(std::move(outgoing));
  channel_->write_message(jsonrpc::write(outgoing.message));
  return Result<void>();
}

Task<Result<void>> SseSession::send_when_writable(Outgoing outgoing) {
  co_await channel_->writable();
  co_return co_await send(std::move(outgoing));
}

void SseSession::close() noexcept {
  closed_ = true;
  channel_->end();
}

}  // namespace fairlead::transport
