#include "skills/mime_type.hpp"

#include <array>
#include <utility>

namespace fairlead::skills {

std::string mime_type_of(std::string_view file_name, bool is_text) {
  using Row = std::pair<std::string_view, std::string_view>;
  constexpr std::array rows{
      Row{"md", "text/markdown"},      Row{"txt", "text/plain"},        Row{"json", "application/json"},
      Row{"yaml", "application/yaml"}, Row{"yml", "application/yaml"},  Row{"toml", "application/toml"},
      Row{"xml", "application/xml"},   Row{"csv", "text/csv"},          Row{"html", "text/html"},
      Row{"css", "text/css"},          Row{"js", "text/javascript"},    Row{"mjs", "text/javascript"},
      Row{"py", "text/x-python"},      Row{"sh", "application/x-sh"},   Row{"svg", "image/svg+xml"},
      Row{"png", "image/png"},         Row{"jpg", "image/jpeg"},        Row{"jpeg", "image/jpeg"},
      Row{"gif", "image/gif"},         Row{"webp", "image/webp"},       Row{"pdf", "application/pdf"},
      Row{"zip", "application/zip"},   Row{"wasm", "application/wasm"},
  };
  const auto dot = file_name.rfind('.');
  const auto extension = dot == std::string_view::npos ? std::string_view() : file_name.substr(dot + 1);
  for (const auto& [known, type] : rows) {
    if (known == extension) return std::string(type);
  }
  return is_text ? "text/plain" : "application/octet-stream";
}

}  // namespace fairlead::skills
