#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fairlead/base/utf8.hpp>
#include <fairlead/protocol/uri_template.hpp>
#include <string_view>

// An input is a template, a line break, and a URI; the URI's two halves also serve as values.
namespace {

using fairlead::protocol::TemplateVariables;
using fairlead::protocol::UriTemplate;

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_uri_text(std::string_view text) {
  constexpr std::string_view outside = "\"<>\\^`{|}";
  for (const char c : text) {
    if (c <= ' ' || c >= 0x7F || outside.find(c) != std::string_view::npos) return false;
  }
  return true;
}

void match_and_expand(const UriTemplate& parsed, std::string_view uri) {
  TemplateVariables variables;
  if (const auto values = parsed.match(uri)) {
    for (const auto& [name, value] : *values) {
      require(fairlead::is_utf8(value));
      variables.emplace(name, value);
    }
  } else {
    for (const auto& name : parsed.variables()) variables.emplace(name, std::string(uri));
  }
  require(is_uri_text(parsed.expand(variables)));
}

void round_trip(std::string_view left, std::string_view right) {
  static const UriTemplate known = UriTemplate::parse("x://{a}/{b}{/c}{?d,e}").value();
  if (left.empty() || right.empty() || !fairlead::is_utf8(left) || !fairlead::is_utf8(right)) return;
  const fairlead::protocol::TemplateMatch values{
      {"a", std::string(left)}, {"b", std::string(right)}, {"c", std::string(left)}, {"d", std::string(right)}};
  require(known.match(known.expand(TemplateVariables(values.begin(), values.end()))) == values);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = input.find('\n');
  const std::string_view text = input.substr(0, line);
  const std::string_view uri = line == std::string_view::npos ? "" : input.substr(line + 1);

  const auto parsed = UriTemplate::parse(text);
  require(parsed.has_value() == fairlead::protocol::template_is_valid(text));
  if (parsed) match_and_expand(*parsed, uri);
  round_trip(uri.substr(0, uri.size() / 2), uri.substr(uri.size() / 2));
  return 0;
}
