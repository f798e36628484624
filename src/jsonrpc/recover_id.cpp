#include "jsonrpc/recover_id.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/scan.hpp>
#include <utility>

namespace fairlead::jsonrpc {
namespace {

// The quoted string at `at`, including quotes; up to the end of the text if it is not closed.
std::string_view quoted(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  return text.substr(at, end + 1 - at);
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos) ++at;
  return at;
}

std::optional<Id> id_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return std::nullopt;
  const std::string_view token =
      text[at] == '"' ? quoted(text, at) : text.substr(at, text.find_first_of(",} \t\r\n", at) - at);
  if (json::scan(token)) return std::nullopt;
  auto id = json::decode<Id>(token);
  return id ? std::optional(std::move(*id)) : std::nullopt;
}

/// The members of the outermost object in arbitrary bytes, as far as they are recognisable.
struct TopLevelMembers {
  explicit TopLevelMembers(std::string_view text) {
    std::size_t depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && depth > 0) --depth;
      if (c != '"') continue;
      const std::string_view word = quoted(text, at);
      at += word.size() - 1;
      if (depth != 1) continue;
      const std::size_t colon = skip_space(text, at + 1);
      if (colon < text.size() && text[colon] == ':') note(word, text, colon + 1);
    }
  }

  void note(std::string_view name, std::string_view text, std::size_t value) {
    if (name == R"("id")") {
      if (ids++ == 0) id = id_at(text, skip_space(text, value));
    }
    has_method = has_method || name == R"("method")";
    has_outcome = has_outcome || name == R"("result")" || name == R"("error")";
  }

  std::optional<Id> only_id() const { return ids == 1 ? id : std::nullopt; }

  std::optional<Id> id;
  std::size_t ids = 0;
  bool has_method = false;
  bool has_outcome = false;
};

}  // namespace

std::optional<Id> recover_id(std::string_view text) {
  return TopLevelMembers(text).only_id();
}

std::optional<Id> recover_response_id(std::string_view text) {
  const TopLevelMembers members(text);
  return members.has_outcome && !members.has_method ? members.only_id() : std::nullopt;
}

}  // namespace fairlead::jsonrpc
