#include "transport/http_server/response_channel.hpp"

#include <fairlead/http/sse.hpp>
#include <utility>

#include "base/next_turn.hpp"

namespace fairlead::transport {

// If data is already buffered, the writer was woken before.
bool ResponseChannel::may_write() {
  if (closed_ || ended_) return false;
  if (unsent_.empty()) wake_writer();
  return true;
}

void ResponseChannel::write_events(std::string_view events) {
  if (may_write()) unsent_ += events;
}

void ResponseChannel::write_message(std::string_view text, std::string_view id) {
  // Event ids of this server never contain line breaks, so this cannot fail.
  if (may_write()) (void)http::write_sse(unsent_, text, id);
}

void ResponseChannel::answer(http::Response&& whole) {
  if (closed_ || ended_ || streaming()) return;
  whole_ = std::move(whole);
  ended_ = true;
  wake_writer(Wake::at_once);
}

void ResponseChannel::end() {
  ended_ = true;
  wake_writer();
}

Task<void> ResponseChannel::writable() {
  while (full()) {
    const auto turn = std::make_shared<Promise<bool>>();
    senders_.push_back(turn);
    const auto woken = co_await turn->wait();
    // Not inside the writer.
    if (woken) co_await next_turn;
  }
}

void ResponseChannel::close() {
  closed_ = true;
  unsent_ = {};
  wake_senders();
}

void ResponseChannel::wake_writer(Wake when) {
  if (wakeup_) wakeup_->set(Wake{when});
}

void ResponseChannel::wake_senders() {
  for (const auto& sender : std::exchange(senders_, {})) sender->set(true);
}

}  // namespace fairlead::transport
