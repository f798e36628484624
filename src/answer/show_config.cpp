#include <boost/json.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/dom.hpp>

#include "answer/load_config.hpp"

namespace fairlead::answer {
namespace {

namespace bj = boost::json;

void indent(std::string& out, std::size_t depth) {
  out += '\n';
  out.append(2 * depth, ' ');
}

void write_indented(std::string& out, const bj::value& value, std::size_t depth) {
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

bj::array name_list(const std::vector<std::string>& texts) {
  bj::array list;
  for (const auto& text : texts) list.emplace_back(bj::string(text));
  return list;
}

}  // namespace

std::string show_config(const LoadedConfig& loaded, const std::string& version) {
  const auto& from = loaded.sources;
  bj::object sources;
  // The name that scripts expect from the original openai-responses-mcp.
  sources["ts_defaults"] = true;
  sources["yaml"] = from.yaml ? bj::value(bj::string(*from.yaml)) : bj::value(nullptr);
  sources["env"] = name_list(from.env);
  sources["cli"] = name_list(from.cli);
  bj::object whole;
  whole["version"] = version;
  whole["sources"] = std::move(sources);
  whole["effective"] = json::parse_dom(json::encode(loaded.config));
  std::string text;
  write_indented(text, whole, 0);
  // A URL may contain a password.
  return Redactor().redact(text);
}

}  // namespace fairlead::answer
