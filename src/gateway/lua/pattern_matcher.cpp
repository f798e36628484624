#include "gateway/lua/pattern_matcher.hpp"

#include <utility>

#include "gateway/lua/loaded_script.hpp"

namespace fairlead::gateway::lua {
namespace {

using Kind = Pattern::Kind;

constexpr int max_match_depth = 200;  // Each level uses a C++ stack frame.
constexpr std::uint64_t steps_a_look = 100;

}  // namespace

void Matcher::step() {
  if (++steps_ == steps_a_look) flush_steps();
}

void Matcher::flush_steps() {
  LoadedScript::spend(state_, std::exchange(steps_, 0));
}

const char* Matcher::match(const char* begin) {
  depth_ = 0;
  return from(0, begin);
}

bool Matcher::fits(const Item& item, const char* at) const {
  return at < text_end() && pattern_.fits(item, static_cast<unsigned char>(*at));
}

const char* Matcher::rest(std::size_t item, const char* at) {
  if (++depth_ > max_match_depth) luaL_error(state_, "pattern too complex");
  const char* end = from(item, at);
  --depth_;
  return end;
}

const char* Matcher::from(std::size_t index, const char* at) {
  for (; index < pattern_.items().size(); ++index) {
    step();
    const auto& item = pattern_.items()[index];
    auto& capture = captures_[item.first % captures_.size()];
    switch (item.kind) {
      case Kind::open: capture = {at, at}; break;
      case Kind::position: capture = {at, nullptr}; break;
      case Kind::close: capture.end = at; break;
      case Kind::end:
        if (at != text_end()) return nullptr;
        break;
      case Kind::frontier:
        if (!at_frontier(item, at)) return nullptr;
        break;
      case Kind::balanced:
        at = balanced(item, at);
        if (at == nullptr) return nullptr;
        break;
      case Kind::back_reference:
        at = repeated_capture(capture, at);
        if (at == nullptr) return nullptr;
        break;
      default:
        if (item.repeat != 0) return repeated(index, at);
        if (!fits(item, at)) return nullptr;
        ++at;
    }
  }
  return at;
}

// Repetitions are greedy, except `-`.
const char* Matcher::repeated(std::size_t index, const char* at) {
  const auto& item = pattern_.items()[index];
  if (item.repeat == '-') {
    for (;; ++at) {
      step();
      if (const char* end = rest(index + 1, at)) return end;
      if (!fits(item, at)) return nullptr;
    }
  }
  std::size_t count = 0;
  while ((item.repeat != '?' || count == 0) && fits(item, at + count)) {
    step();
    ++count;
  }
  const std::size_t least = item.repeat == '+' ? 1 : 0;
  for (auto left = count + 1; left-- > least;) {
    step();
    if (const char* end = rest(index + 1, at + left)) return end;
  }
  return nullptr;
}

const char* Matcher::repeated_capture(const Capture& capture, const char* at) {
  if (capture.end == nullptr) return nullptr;  // A position capture has no text.
  const std::string_view again(capture.begin, capture.end);
  steps_ += again.size() / 16;
  flush_steps();
  return std::string_view(at, text_end()).starts_with(again) ? at + again.size() : nullptr;
}

const char* Matcher::balanced(const Item& item, const char* at) {
  if (at == text_end() || static_cast<unsigned char>(*at) != item.first) return nullptr;
  std::size_t depth = 1;
  while (++at < text_end()) {
    step();
    const auto c = static_cast<unsigned char>(*at);
    if (c == item.second) {
      if (--depth == 0) return at + 1;
    } else if (c == item.first) {
      ++depth;
    }
  }
  return nullptr;
}

bool Matcher::at_frontier(const Item& item, const char* at) const {
  const auto before = at == text_.data() ? 0 : static_cast<unsigned char>(at[-1]);
  const auto here = at == text_end() ? 0 : static_cast<unsigned char>(*at);
  return !pattern_.in_set(item, static_cast<unsigned char>(before)) &&
         pattern_.in_set(item, static_cast<unsigned char>(here));
}

void Matcher::push_capture(std::size_t number, const char* begin, const char* end) {
  if (number == 0 || (number == 1 && captures() == 0)) {
    lua_pushlstring(state_, begin, static_cast<std::size_t>(end - begin));
    return;
  }
  if (number > captures()) luaL_error(state_, "invalid capture index %%%d", static_cast<int>(number));
  const auto& capture = captures_[number - 1];
  if (capture.end == nullptr) {
    lua_pushinteger(state_, capture.begin - text_.data() + 1);
  } else {
    lua_pushlstring(state_, capture.begin, static_cast<std::size_t>(capture.end - capture.begin));
  }
}

int Matcher::push_captures(const char* begin, const char* end) {
  const auto count = captures() == 0 ? 1 : captures();
  luaL_checkstack(state_, static_cast<int>(count), "too many captures");
  for (std::size_t number = 1; number <= count; ++number) push_capture(number, begin, end);
  return static_cast<int>(count);
}

}  // namespace fairlead::gateway::lua
