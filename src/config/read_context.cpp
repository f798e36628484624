#include "config/read_context.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "base/closest_match.hpp"

namespace fairlead::config {
namespace {

// The map that holds a key: `restart` for `servers.git.restart.first`.
std::string_view scope_of(std::string_view key_path) {
  const auto end = key_path.rfind('.');
  const auto parent = end == std::string_view::npos ? std::string_view() : key_path.substr(0, end);
  return parent.substr(parent.rfind('.') + 1);
}

}  // namespace

NodeRef NodeRef::item(std::size_t index) const {
  return {node.children[index], fmt::format("{}[{}]", path, index), fmt::format("{}[{}]", key_path, index)};
}

Source ReadContext::source(const NodeRef& ref) const {
  if (file_.empty()) return {.column = ref.node.column, .path = ref.path};
  return {.file = file_, .line = ref.node.line, .path = ref.path};
}

SourceLocation ReadContext::origin(const NodeRef& ref) const {
  return {fmt::format("{}: {}", source(ref).location(), ref.path)};
}

void ReadContext::unknown_key(const NodeRef& ref, std::span<const std::string> known) {
  const auto retired = rules_.retired ? rules_.retired(scope_of(ref.key_path), ref.node.key) : std::nullopt;
  if (retired) return error(ref, *retired);
  const auto meant = closest_match(ref.node.key, known);
  const auto advice =
      meant ? fmt::format("did you mean {}?", *meant) : fmt::format("valid keys are {}", fmt::join(known, ", "));
  if (rules_.ignore_unknown) return warn(ref, "unknown key, which is ignored; " + advice);
  error(ref, "unknown key; " + advice);
}

void ReadContext::record_source(const NodeRef& ref, std::vector<std::string> variables) {
  auto from = source(ref);
  from.variables = std::move(variables);
  sources_.set(ref.key_path, std::move(from));
}

std::optional<Expanded> ReadContext::text(const NodeRef& ref) {
  if (ref.node.kind == Node::Kind::scalar) return text(ref, ref.node.text);
  if (ref.node.kind == Node::Kind::null) {
    error(ref, "is empty; give it a value, or leave it out");
  } else {
    error(ref, fmt::format("expected a single value, got {}", kind_phrase(ref.node.kind)));
  }
  return std::nullopt;
}

std::optional<Expanded> ReadContext::text(const NodeRef& ref, std::string_view raw) {
  auto expanded = expand(raw, options_.environment);
  if (expanded) return *std::move(expanded);
  error(ref, expanded.error().message);
  return std::nullopt;
}

bool ReadContext::is(const NodeRef& ref, Node::Kind wanted) {
  if (ref.node.kind == wanted || ref.node.kind == Node::Kind::null) return true;
  error(ref, fmt::format("expected {}, got {}", kind_phrase(wanted), kind_phrase(ref.node.kind)));
  return false;
}

std::string ReadContext::beside(const std::string& path) const {
  if (path.empty() || path.front() == '/' || file_.empty()) return path;
  return (std::filesystem::path(file_).parent_path() / path).lexically_normal().string();
}

}  // namespace fairlead::config
