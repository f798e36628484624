#include "base/log_line.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <fairlead/base/utf8.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <iterator>
#include <poll.h>
#include <unistd.h>

#include "base/ascii.hpp"

namespace fairlead {
namespace {

constexpr std::array<std::string_view, 6> level_names = {"trace", "debug", "info", "warning", "error", "off"};

// The code point of one well-formed UTF-8 character.
char32_t code_point(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 1) return first;
  auto value = static_cast<char32_t>(first & (0x7F >> bytes.size()));
  for (const char byte : bytes.substr(1)) value = (value << 6) | (static_cast<unsigned char>(byte) & 0x3F);
  return value;
}

bool is_between(char32_t c, char32_t first, char32_t last) {
  return c >= first && c <= last;
}

// C0 and C1 controls, DEL, line and paragraph separators, and characters that reorder or hide the text around them.
bool steers(char32_t c) {
  return c < 0x20 || is_between(c, 0x7F, 0x9F) || is_between(c, 0x200B, 0x200F) || is_between(c, 0x2028, 0x202E) ||
         is_between(c, 0x2066, 0x2069) || c == 0xFEFF || c == 0x061C;
}

// Characters that are invisible on a screen but read by a model: soft hyphens, joiners, fillers, tags, and variation
// selectors except the two that select the presentation of an emoji.
bool is_hidden(char32_t c) {
  return c == 0xAD || c == 0x034F || c == 0x115F || c == 0x1160 || c == 0x180E || is_between(c, 0x2060, 0x2065) ||
         is_between(c, 0x206A, 0x206F) || c == 0x3164 || is_between(c, 0xFE00, 0xFE0D) || c == 0xFFA0 ||
         is_between(c, 0xE0000, 0xE0FFF);
}

bool is_dangerous(char32_t c) {
  return steers(c) || is_hidden(c);
}

void append_visible(std::string& out, char32_t c) {
  switch (c) {
    case '\n': out += "\\n"; break;
    case '\r': out += "\\r"; break;
    case '\t': out += "\\t"; break;
    default: fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(c));
  }
}

void append_time(std::string& out) {
  using namespace std::chrono;
  const auto now = time_point_cast<milliseconds>(system_clock::now());
  const auto seconds = floor<std::chrono::seconds>(now);
  fmt::format_to(std::back_inserter(out), "{:%Y-%m-%dT%H:%M:%S}.{:03}Z ", fmt::gmtime(system_clock::to_time_t(seconds)),
                 (now - seconds).count());
}

}  // namespace

std::string_view name(LogLevel level) {
  return level_names[static_cast<std::size_t>(level)];
}

std::optional<LogLevel> log_level(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), ascii::lower);
  if (lower == "warn") return LogLevel::warning;
  for (std::size_t i = 0; i < level_names.size(); ++i)
    if (lower == level_names[i]) return static_cast<LogLevel>(i);
  return std::nullopt;
}

void append_escaped(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto length = utf8_length(text, at);
    const auto bytes = text.substr(at, std::max<std::size_t>(1, length));
    if (length == 0)
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(bytes[0]));
    else if (const auto point = code_point(bytes); is_dangerous(point))
      append_visible(out, point);
    else
      out += bytes;
    at += bytes.size();
  }
}

std::string log_line(LogTime time, LogLevel level, std::string_view component, std::string_view message) {
  std::string line;
  line.reserve(64 + component.size() + message.size());
  if (time == LogTime::iso) append_time(line);
  line += name(level);
  line += ' ';
  append_escaped(line, component);
  line += ": ";
  append_escaped(line, message);
  line += '\n';
  return line;
}

bool write_all(int descriptor, std::string_view line, std::size_t* written) {
  // How long to wait for a non-blocking descriptor; then the rest of the line is dropped.
  constexpr int timeout_ms = 100;
  for (*written = 0; *written < line.size();) {
    const auto size = ::write(descriptor, line.data() + *written, line.size() - *written);
    if (size > 0) {
      *written += static_cast<std::size_t>(size);
      continue;
    }
    if (size < 0 && errno == EINTR) continue;
    pollfd ready{.fd = descriptor, .events = POLLOUT, .revents = 0};
    if (size < 0 && errno == EAGAIN && ::poll(&ready, 1, timeout_ms) > 0) continue;
    return false;
  }
  return true;
}

}  // namespace fairlead
