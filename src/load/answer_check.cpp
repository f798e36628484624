#include "load/answer_check.hpp"

#include <charconv>
#include <fmt/format.h>

#include "load/request_text.hpp"

namespace fairlead::load {
namespace {

// All members except the content are near the ends of a response, so large content is not searched.
constexpr std::size_t edge = 1024;

struct Edges {
  explicit Edges(std::string_view body)
      : front(body.size() > 2 * edge ? body.substr(0, edge) : body),
        back(body.size() > 2 * edge ? body.substr(body.size() - edge) : std::string_view()) {}

  bool contains(std::string_view text) const {
    return front.find(text) != std::string_view::npos || back.find(text) != std::string_view::npos;
  }

  std::string_view front, back;
};

std::optional<std::uint32_t> id_in(std::string_view text) {
  constexpr std::string_view key = "\"id\":";
  for (auto at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    auto rest = text.substr(at + key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    std::uint32_t id = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), id);
    if (read.ec == std::errc() && id >= first_id) return id;
  }
  return std::nullopt;
}

std::string truncated(std::string_view body) {
  constexpr std::size_t max_bytes = 200;
  return std::string(body.substr(0, max_bytes)) + (body.size() > max_bytes ? "…" : "");
}

}  // namespace

std::optional<std::uint32_t> answered_id(std::string_view body) {
  const Edges edges(body);
  const auto id = id_in(edges.front);
  return id ? id : id_in(edges.back);
}

std::size_t count_progress(std::string_view body) {
  constexpr std::string_view name = "notifications/progress";
  std::size_t count = 0;
  for (auto at = body.find(name); at != std::string_view::npos; at = body.find(name, at + name.size())) ++count;
  return count;
}

std::optional<std::string> answer_problem(const ExpectedAnswer& expected, std::string_view body, std::uint32_t id) {
  const Edges edges(body);
  if (!edges.contains("\"result\"")) return "the server returned an error: " + truncated(body);
  if (edges.contains("\"isError\":true")) return "the tool failed: " + truncated(body);
  if (!expected.echo.empty()) {
    const auto at = body.find(expected.echo);
    char digits[id_digits];
    std::to_chars(digits, digits + id_digits, id);
    if (at == std::string_view::npos ||
        body.substr(at + expected.echo.size(), id_digits) != std::string_view(digits, id_digits)) {
      return "the returned text is not the text that was sent: " + truncated(body);
    }
  }
  if (expected.progress && count_progress(body) != *expected.progress) {
    return fmt::format("received {} progress notifications, expected {}", count_progress(body), *expected.progress);
  }
  return std::nullopt;
}

}  // namespace fairlead::load
