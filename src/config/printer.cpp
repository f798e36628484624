#include "config/printer.hpp"

#include <algorithm>
#include <array>
#include <fairlead/json/writer.hpp>
#include <fmt/format.h>

namespace fairlead::config {
namespace {

// Words that YAML parsers do not read as text.
constexpr auto special = std::to_array<std::string_view>({"null", "~", "yes", "no", "on", "off", "y", "n"});

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./+").find(c) != std::string_view::npos;
}

bool may_stand_bare(std::string_view text) {
  constexpr std::string_view not_first = "-.+";
  if (text.empty() || not_first.find(text.front()) != std::string_view::npos) return false;
  return std::ranges::all_of(text, is_plain) && std::ranges::find(special, text) == special.end();
}

std::string flow_list(const std::vector<std::string>& values) {
  std::string out;
  for (const auto& value : values) out += (out.empty() ? "" : ", ") + yaml_scalar(value);
  return "[" + out + "]";
}

// Doubles dollars, so that the text is not read as a variable.
std::string with_dollars(std::string_view text) {
  std::string out;
  for (const char c : text) out.append(c == '$' ? 2 : 1, c);
  return out;
}

}  // namespace

std::string yaml_scalar(std::string_view text) {
  if (may_stand_bare(text)) return std::string(text);
  std::string out;
  json::write_string(out, with_dollars(text));
  return out;
}

void Printer::line(std::string_view name, const std::string& path, std::string_view value) {
  const auto* from = sources_.find(path);
  if (from == nullptr && !defaults_) return;
  const auto indent = (path_.size() - 1) * 2;
  out_ += fmt::format("{:{}}{}: {}  # {}\n", "", indent, yaml_scalar(name), value, from ? from->text() : "default");
}

void Printer::value(std::string_view name, std::string_view value) {
  line(name, below(path_.back(), name), yaml_scalar(value));
}

void Printer::list(std::string_view name, const std::vector<std::string>& values) {
  line(name, below(path_.back(), name), flow_list(values));
}

void Printer::map(std::string_view name, const std::map<std::string, std::string>& shown) {
  if (shown.empty()) return line(name, below(path_.back(), name), "{}");
  enter(name);
  for (const auto& [key, value] : shown) this->value(key, value);
  leave();
}

void Printer::items(std::string_view name, const std::vector<std::string>& shown) {
  std::vector<std::string> scalars;
  for (const auto& text : shown) scalars.push_back(yaml_scalar(text));
  flow_items(name, scalars);
}

void Printer::flow_items(std::string_view name, const std::vector<std::string>& shown) {
  const auto path = below(path_.back(), name);
  if (shown.empty()) return line(name, path, "[]");
  enter(name);
  for (std::size_t index = 0; index < shown.size(); ++index) {
    const auto* from = sources_.find(fmt::format("{}[{}]", path, index));
    out_ += fmt::format("{:{}}- {}  # {}\n", "", (path_.size() - 1) * 2, shown[index], from ? from->text() : "default");
  }
  leave();
}

void Printer::enter(std::string_view name) {
  const auto begin = out_.size();
  out_ += fmt::format("{:{}}{}:\n", "", (path_.size() - 1) * 2, yaml_scalar(name));
  headings_.push_back({begin, out_.size()});
  path_.push_back(below(path_.back(), name));
}

void Printer::leave() {
  path_.pop_back();
  const auto heading = headings_.back();
  headings_.pop_back();
  // Without defaults, empty maps are removed.
  if (!defaults_ && out_.size() == heading.end) out_.resize(heading.begin);
}

}  // namespace fairlead::config
