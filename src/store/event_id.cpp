#include <array>
#include <charconv>
#include <fairlead/store/event_log.hpp>

namespace fairlead::store {
namespace {

// Parses one number; a sign or a leading zero is invalid.
template <class T>
bool consume(std::string_view& text, T& number) {
  if (text.empty() || text.front() == '-' ||
      (text.front() == '0' && text.size() > 1 && text[1] >= '0' && text[1] <= '9')) {
    return false;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool consume(std::string_view& text, char mark) {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string EventId::text(std::uint32_t opening) const {
  std::array<char, 48> text;  // Three numbers of at most twenty, ten and ten digits.
  char* const limit = text.data() + text.size();
  char* end = std::to_chars(text.data(), limit, stream).ptr;
  *end++ = '-';
  end = std::to_chars(end, limit, sequence).ptr;
  if (opening != 0) {
    *end++ = '.';
    end = std::to_chars(end, limit, opening).ptr;
  }
  return {text.data(), end};
}

std::optional<EventId> EventId::parse(std::string_view text) {
  EventId id;
  std::uint32_t opening = 0;
  if (!consume(text, id.stream) || !consume(text, '-') || !consume(text, id.sequence)) return std::nullopt;
  if (consume(text, '.') && !consume(text, opening)) return std::nullopt;
  return text.empty() ? std::optional(id) : std::nullopt;
}

}  // namespace fairlead::store
