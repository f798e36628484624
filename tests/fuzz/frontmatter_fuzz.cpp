#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fairlead/json/scan.hpp>
#include <string>

#include "skills/frontmatter.hpp"

// Each input is the front matter of a SKILL.md. The result is a valid JSON object that equals itself, or an error with
// a line of the input.
namespace {

using namespace fairlead;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const std::string& file) {
  const auto read = skills::read_frontmatter(file);
  std::size_t lines = 2;
  for (const char c : file) lines += c == '\n';
  if (!read) {
    require(read.error().line >= 1 && read.error().line <= lines && !read.error().reason.empty());
    return;
  }
  require(read->json.text().starts_with('{') && !json::scan(read->json.text()));
  require(skills::is_same_json(read->json, read->json));
  for (const auto& [key, line] : read->key_lines) require(line >= 2 && line <= lines);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check(text);
  check("---\n" + text + "\n---\n");
  return 0;
}
