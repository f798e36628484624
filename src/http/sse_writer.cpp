#include <algorithm>
#include <fairlead/http/sse.hpp>

namespace fairlead::http {
namespace {

// Two memchr searches are faster than comparing each byte with a set.
std::size_t line_end(std::string_view text) {
  const auto feed = text.find('\n');
  return std::min(feed, text.substr(0, feed).find('\r'));
}

// Appends a field line.
void write_field(std::string& out, std::string_view field, std::string_view value, std::string_view end = "\n") {
  out += field;
  out += value;
  out += end;
}

// Appends the last field and the empty line.
void write_data(std::string& out, std::string_view data) {
  for (auto end = line_end(data); end != std::string_view::npos; end = line_end(data)) {
    write_field(out, "data: ", data.substr(0, end));
    data.remove_prefix(end + (data.substr(end).starts_with("\r\n") ? 2 : 1));
  }
  write_field(out, "data: ", data, "\n\n");
}

// Readers ignore ids with a NUL. Ids are short: one loop is faster than three searches.
Result<void> check_id(std::string_view id) {
  if (std::ranges::none_of(id, [](char c) { return c == '\n' || c == '\r' || c == '\0'; })) return {};
  return fail(ErrorKind::invalid, "the id of an event must not hold a line end or a NUL; choose another");
}

}  // namespace

Result<void> write_sse(std::string& out, const SseEvent& event) {
  if (line_end(event.event) != std::string::npos) {
    return fail(ErrorKind::invalid, "the name of an event must not hold a line end; choose another");
  }
  if (auto checked = check_id(event.id); !checked) return checked;
  if (event.event != "message" && !event.event.empty()) write_field(out, "event: ", event.event);
  if (!event.id.empty()) write_field(out, "id: ", event.id);
  if (event.retry) write_field(out, "retry: ", std::to_string(event.retry->count()));
  return write_sse(out, event.data, {});
}

Result<void> write_sse(std::string& out, std::string_view data, std::string_view id) {
  if (auto checked = check_id(id); !checked) return checked;
  constexpr std::size_t names = 24;
  out.reserve(out.size() + data.size() + id.size() + names);
  if (!id.empty()) write_field(out, "id: ", id);
  write_data(out, data);
  return {};
}

}  // namespace fairlead::http
