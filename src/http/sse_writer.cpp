#include <fairlead/http/sse.hpp>

namespace fairlead::http {
namespace {

constexpr std::string_view line_ends = "\r\n";
// A reader ignores an id with a NUL in it.
constexpr std::string_view no_part_of_id{"\r\n\0", 3};

void write_field(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  out += value;
  out += '\n';
}

void write_data(std::string& out, std::string_view data) {
  for (auto end = data.find_first_of("\r\n"); end != std::string_view::npos; end = data.find_first_of("\r\n")) {
    write_field(out, "data", data.substr(0, end));
    data.remove_prefix(end + (data.substr(end).starts_with("\r\n") ? 2 : 1));
  }
  write_field(out, "data", data);
}

}  // namespace

Result<void> write_sse(std::string& out, const SseEvent& event) {
  if (event.event.find_first_of(line_ends) != std::string::npos) {
    return fail(ErrorKind::invalid, "the name of an event must not hold a line end; choose another");
  }
  if (event.id.find_first_of(no_part_of_id) != std::string::npos) {
    return fail(ErrorKind::invalid, "the id of an event must not hold a line end or a NUL; choose another");
  }
  if (event.event != "message" && !event.event.empty()) write_field(out, "event", event.event);
  if (!event.id.empty()) write_field(out, "id", event.id);
  if (event.retry) write_field(out, "retry", std::to_string(event.retry->count()));
  write_data(out, event.data);
  out += '\n';
  return {};
}

}  // namespace fairlead::http
