#include "gateway/control/tapper.hpp"

#include <utility>

namespace fairlead::gateway {

std::optional<Tapper::Beginning> Tapper::begun_by(const TapLine& line) {
  if (line.kind == LineKind::call) return Beginning(line.room, LineKind::call, line.call.value_or(0));
  if (line.kind == LineKind::ask) return Beginning(line.room, LineKind::ask, line.ask.value_or(0));
  return std::nullopt;
}

std::optional<Tapper::Beginning> Tapper::ended_by(const TapLine& line) {
  if (line.kind == LineKind::reply) return Beginning(line.room, LineKind::call, line.call.value_or(0));
  if (line.kind == LineKind::answer) return Beginning(line.room, LineKind::ask, line.ask.value_or(0));
  return std::nullopt;
}

void Tapper::hear(const TapLine& line, const std::function<TapText()>& text) {
  if (!filter_.waits_for_end()) {
    if (filter_.matches(line)) push(text());
    return;
  }
  if (auto begun = begun_by(line)) {
    if (filter_.may_match(line)) hold(*std::move(begun), text());
    return;
  }
  const auto end = ended_by(line);
  const auto question = end ? held_.extract(*end) : decltype(held_)::node_type();
  if (!filter_.matches(line)) return;
  if (question) push(question.mapped());
  push(text());
}

void Tapper::hold(Beginning of, TapText text) {
  if (held_.size() >= limits_.lines) {
    ++lost_;
  } else {
    held_.insert_or_assign(std::move(of), std::move(text));
  }
}

void Tapper::push(TapText text) {
  // One that is larger than all the room there is comes through where nothing else waits.
  const bool fits = waiting_.empty() || (waiting_.size() < limits_.lines && bytes_ + text->size() <= limits_.bytes);
  if (!fits) {
    ++lost_;
    return;
  }
  bytes_ += text->size();
  waiting_.push_back({.text = std::move(text), .lost = std::exchange(lost_, 0)});
  bell_.ring();
}

std::optional<Tapper::Told> Tapper::next() {
  if (waiting_.empty()) return std::nullopt;
  auto told = std::move(waiting_.front());
  waiting_.pop_front();
  bytes_ -= told.text->size();
  return told;
}

}  // namespace fairlead::gateway
