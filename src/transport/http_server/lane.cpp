#include "transport/http_server/lane.hpp"

#include <utility>

namespace fairlead::transport {

void Lane::say(std::string_view events) {
  if (closed_ || ended_) return;
  unsent_ += events;
  bell_.ring();
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
