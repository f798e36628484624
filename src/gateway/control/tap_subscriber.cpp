#include "gateway/control/tap_subscriber.hpp"

#include <utility>

namespace fairlead::gateway {

std::optional<TapSubscriber::PendingKey> TapSubscriber::started_by(const TapLine& line) {
  if (line.kind == LineKind::call) return PendingKey(line.endpoint, LineKind::call, line.call.value_or(0));
  if (line.kind == LineKind::server_call)
    return PendingKey(line.endpoint, LineKind::server_call, line.server_call.value_or(0));
  return std::nullopt;
}

std::optional<TapSubscriber::PendingKey> TapSubscriber::ended_by(const TapLine& line) {
  if (line.kind == LineKind::reply) return PendingKey(line.endpoint, LineKind::call, line.call.value_or(0));
  if (line.kind == LineKind::server_reply)
    return PendingKey(line.endpoint, LineKind::server_call, line.server_call.value_or(0));
  return std::nullopt;
}

void TapSubscriber::offer(const TapLine& line, const std::function<TapText()>& text) {
  if (!filter_.waits_for_end()) {
    if (filter_.matches(line)) push(text());
    return;
  }
  if (auto started = started_by(line)) {
    if (filter_.may_match(line)) hold(*std::move(started), text());
    return;
  }
  const auto end = ended_by(line);
  const auto call = end ? pending_calls_.extract(*end) : decltype(pending_calls_)::node_type();
  if (!filter_.matches(line)) return;
  if (call) push(call.mapped());
  push(text());
}

void TapSubscriber::hold(PendingKey of, TapText text) {
  if (pending_calls_.size() >= limits_.lines) {
    ++lost_;
  } else {
    pending_calls_.insert_or_assign(std::move(of), std::move(text));
  }
}

void TapSubscriber::push(TapText text) {
  // A line larger than the limit is accepted if the queue is empty.
  const bool fits = waiting_.empty() || (waiting_.size() < limits_.lines && bytes_ + text->size() <= limits_.bytes);
  if (!fits) {
    ++lost_;
    return;
  }
  bytes_ += text->size();
  waiting_.push_back({.text = std::move(text), .lost = std::exchange(lost_, 0)});
  event_.notify();
}

std::optional<TapSubscriber::QueuedLine> TapSubscriber::next() {
  if (waiting_.empty()) return std::nullopt;
  auto line = std::move(waiting_.front());
  waiting_.pop_front();
  bytes_ -= line.text->size();
  return line;
}

}  // namespace fairlead::gateway
