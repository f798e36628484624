#include "transport/http_server/lane.hpp"

#include <fairlead/http/sse.hpp>
#include <utility>

namespace fairlead::transport {

// Where something is unsent already, whoever sends it has been woken.
bool Lane::may_speak() {
  if (closed_ || ended_) return false;
  if (unsent_.empty()) wake_writer();
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
  if (put_whole(std::move(whole))) wake_writer();
}

void Lane::answer_now(http::Response whole) {
  if (put_whole(std::move(whole))) wake_writer(Wake::now);
}

bool Lane::put_whole(http::Response&& whole) {
  if (closed_ || ended_ || streaming()) return false;
  whole_ = std::make_unique<http::Response>(std::move(whole));
  ended_ = true;
  return true;
}

std::optional<http::Response> Lane::take_whole() {
  const auto whole = std::exchange(whole_, nullptr);
  return whole ? std::optional(std::move(*whole)) : std::nullopt;
}

void Lane::end() {
  ended_ = true;
  wake_writer();
}

Task<void> Lane::room() {
  while (full()) {
    const auto turn = std::make_shared<Promise<bool>>();
    senders_.push_back(turn);
    co_await turn->settled();
  }
}

void Lane::close() {
  closed_ = true;
  unsent_ = {};
  writer_ = nullptr;
  wake_senders();
}

void Lane::wake_writer(Wake how) {
  if (auto* writer = std::exchange(writer_, nullptr)) writer->go_on(how);
}

void Lane::wake_senders() {
  for (const auto& sender : std::exchange(senders_, {})) sender->set(true);
}

}  // namespace fairlead::transport
