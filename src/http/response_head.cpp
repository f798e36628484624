#include "http/response_head.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "http/char_class.hpp"

namespace fairlead::http {
namespace {

void append_number(std::string& out, std::size_t number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
  out.append(digits.begin(), end);
}

// Removes line breaks, so that a header value cannot inject a line.
void append_value(std::string& out, std::string_view value) {
  const auto begin = out.size();
  out.append(value);
  if (field_end(value, 0) != value.size()) {
    const auto spoils = [](char c) { return !is_of(c, char_class::field); };
    std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), spoils, ' ');
  }
  out += "\r\n";
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  if (name.empty() || !consists_of(name, char_class::token)) return;
  append_value(out.append(name).append(": "), value);
}

void append_body_lines(std::string& out, const Response& response, const ResponseFraming& framing) {
  if (framing.body == BodyKind::chunked) out += "Transfer-Encoding: chunked\r\n";
  if (framing.body != BodyKind::sized || !may_have_body(response.status)) return;
  out += "Content-Length: ";
  append_number(out, response.body.size());
  out += "\r\n";
}

}  // namespace

std::string_view DateCache::now() {
  timespec time = {};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &time);
  if (time.tv_sec == second_) return text_;
  second_ = time.tv_sec;
  std::tm parts = {};
  ::gmtime_r(&second_, &parts);
  constexpr std::array<const char*, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::array<char, 48> line;
  // Not %a and %b: they follow the locale.
  const auto* const day = days[static_cast<std::size_t>(parts.tm_wday)];
  const auto* const month = months[static_cast<std::size_t>(parts.tm_mon)];
  std::array<char, 48> form;
  std::snprintf(form.data(), form.size(), "Date: %s, %%d %s %%Y %%H:%%M:%%S GMT\r\n", day, month);
  const auto size = std::strftime(line.data(), line.size(), form.data(), &parts);
  text_.assign(line.data(), size);
  return text_;
}

void append_head(std::string& out, const Response& response, const ResponseFraming& framing, const Cors& cors,
                 DateCache& date) {
  if (response.status == 200) {
    out += "HTTP/1.1 200 OK\r\n";
  } else {
    out += "HTTP/1.1 ";
    append_number(out, response.status);
    out.append(" ").append(reason_phrase(response.status)).append("\r\n");
  }
  out += date.now();
  if (!response.content_type.empty()) append_value(out.append("Content-Type: "), response.content_type);
  for (const auto& field : response.headers) append_field(out, field.name, field.value);
  if (framing.extra != nullptr) append_field(out, framing.extra->name, framing.extra->value);
  cors.append_lines(out, framing.origin);
  append_body_lines(out, response, framing);
  if (!framing.keep_alive) {
    out += "Connection: close\r\n";
  } else if (!framing.http11) {
    out += "Connection: keep-alive\r\n";
  }
  out += "\r\n";
}

}  // namespace fairlead::http
