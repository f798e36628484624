#include <boost/json.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/dom.hpp>
#include <utility>

#include "answer/load_config.hpp"

namespace fairlead::answer {
namespace {

/// The names that scripts expect from the original openai-responses-mcp.
struct ShownSources {
  bool ts_defaults = true;
  boost::json::value yaml = nullptr;
  std::vector<std::string> env = {};
  std::vector<std::string> cli = {};
};

struct ShownConfig {
  std::string version;
  ShownSources sources;
  AnswerConfig effective;
};

void indent(std::string& out, std::size_t depth) {
  out += '\n';
  out.append(2 * depth, ' ');
}

void write_indented(std::string& out, const boost::json::value& value, std::size_t depth) {
  const auto* object = value.if_object();
  if (object == nullptr || object->empty()) return json::write_dom(out, value);
  out += '{';
  bool first = true;
  for (const auto& member : *object) {
    if (!std::exchange(first, false)) out += ',';
    indent(out, depth + 1);
    json::write_string(out, member.key());
    out += ": ";
    write_indented(out, member.value(), depth + 1);
  }
  indent(out, depth);
  out += '}';
}

}  // namespace

std::string show_config(const LoadedConfig& loaded, const std::string& version) {
  ShownSources sources{.env = loaded.sources.variables(), .cli = loaded.options};
  if (loaded.file) sources.yaml = boost::json::string(*loaded.file);
  const ShownConfig shown{version, std::move(sources), loaded.config};
  std::string text;
  write_indented(text, json::parse_dom(json::encode(shown)), 0);
  // A URL may contain a password.
  return Redactor().redact(text);
}

}  // namespace fairlead::answer
