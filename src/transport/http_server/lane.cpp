#include "transport/http_server/lane.hpp"

#include <fairlead/http/sse.hpp>
#include <utility>

namespace fairlead::transport {

// Where something is unsent already, whoever sends it has been woken.
bool Lane::may_speak() {
  if (closed_ || ended_) return false;
  if (unsent_.empty()) bell_.ring();
  return true;
}

void Lane::say(std::string_view events) {
  if (may_speak()) unsent_ += events;
}

void Lane::say_message(std::string_view text, std::string_view id) {
  // Our own ids never hold what would make it fail.
  if (may_speak()) (void)http::write_sse(unsent_, text, id);
}

void Lane::answer(http::Response whole) {
  if (closed_ || ended_ || streaming()) return;
  whole_ = std::make_unique<http::Response>(std::move(whole));
  end();
}

void Lane::end() {
  ended_ = true;
  bell_.ring();
}

Task<void> Lane::room() {
  while (full()) co_await bell_.wait();
}

}  // namespace fairlead::transport
