#include "gateway/config/chain_syntax.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "config/shell_words.hpp"
#include "gateway/config/address_syntax.hpp"
#include "gateway/config/retired_keys.hpp"

namespace fairlead::gateway {
namespace {

bool is_step_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && std::ranges::all_of(text, fits) && !(text.front() >= '0' && text.front() <= '9');
}

// Paths of files are relative to the folder of the configuration.
bool is_file(std::string_view step, std::string_view argument) {
  return (step == "lua" && (argument.empty() || argument == "file")) || (step == "auth" && argument == "keys_file");
}

/// Reads one step. Errors name the column of the fault.
class StepReader {
 public:
  StepReader(config::ReadContext& context, const config::NodeRef& ref) : context_(context), ref_(ref) {}

  std::optional<MiddlewareConfig> read() {
    const std::string_view text = ref_.node.text;
    const auto open = config::find_outside(text, '(');
    const auto end = text.substr(0, open).find_last_not_of(' ');
    MiddlewareConfig step{.name = std::string(text.substr(0, end + 1)), .at = context_.origin(ref_)};
    if (!is_step_name(step.name)) {
      return error_at(0,
                      fmt::format("{} is not a chain step; write it like timeout(30s)", config::value_in_quotes(text)));
    }
    if (open == std::string_view::npos) return finished(std::move(step));
    if (!text.ends_with(')')) return error_at(open, "the ( is not closed at the end of the step");
    const auto inside = text.substr(open + 1, text.size() - open - 2);
    const auto pieces = config::split(inside, ',');
    if (!pieces) return error_at(open + 1 + pieces.error().at, pieces.error().message);
    if (pieces->size() == 1 && pieces->front().text.empty()) return finished(std::move(step));
    for (const auto& piece : *pieces) {
      if (!argument(piece, open + 1, step)) return std::nullopt;
    }
    return finished(std::move(step));
  }

  /// Adds an argument that is already split.
  bool add(std::string_view name, const config::NodeRef& value, MiddlewareConfig& step) {
    auto text = context_.text(value);
    if (!text) return false;
    remember(*text);
    step.arguments.emplace_back(name, std::move(text->text));
    return true;
  }

  MiddlewareConfig finished(MiddlewareConfig step) {
    for (auto& [name, value] : step.arguments) {
      if (is_file(step.name, name)) value = context_.beside(value);
      if (const auto now = renamed_key(step.name, name)) {
        context_.error(ref_, fmt::format("{}({}=…) was renamed to {}", step.name, name, *now));
        // Under its new name the middleware accepts it, so that `check` reports it once and the value is still checked.
        name = *now;
      }
    }
    context_.record_source(ref_, std::move(variables_));
    return step;
  }

 private:
  bool argument(const config::Token& piece, std::size_t offset, MiddlewareConfig& step) {
    std::string_view text = piece.text;
    const auto equals = config::find_outside(text, '=');
    const bool named = equals != std::string_view::npos && is_step_name(trimmed(text.substr(0, equals)));
    const std::string name(named ? trimmed(text.substr(0, equals)) : "");
    if (named) text = trimmed(text.substr(equals + 1));
    if (text.empty()) {
      error_at(offset + piece.at, "an argument is missing here");
      return false;
    }
    const auto plain = config::unquote(text);
    auto filled = plain ? context_.text(ref_, *plain) : std::nullopt;
    if (!plain) error_at(offset + piece.at, plain.error().message);
    if (!filled) return false;
    remember(*filled);
    step.arguments.emplace_back(name, std::move(filled->text));
    return true;
  }

  static std::string_view trimmed(std::string_view text) {
    const auto begin = std::min(text.find_first_not_of(' '), text.size());
    return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
  }

  void remember(const config::Expanded& text) {
    variables_.insert(variables_.end(), text.variables.begin(), text.variables.end());
  }

  std::nullopt_t error_at(std::size_t offset, std::string_view message) {
    config::Node spot;
    spot.line = ref_.node.line;
    spot.column = ref_.node.column + offset;
    context_.error({spot, ref_.path, ref_.key_path}, message);
    return std::nullopt;
  }

  config::ReadContext& context_;
  const config::NodeRef& ref_;
  std::vector<std::string> variables_;
};

// Adds one argument, or several under one name for a list.
bool add_member(StepReader& reader, const config::NodeRef& value, std::string_view name, MiddlewareConfig& step) {
  if (value.node.kind != config::Node::Kind::list) return reader.add(name, value, step);
  for (std::size_t index = 0; index < value.node.children.size(); ++index) {
    if (!reader.add(name, value.item(index), step)) return false;
  }
  return true;
}

// `timeout: 30s`, `timeout: {idle: 30s}`, `allow: [a, b]` or `allow: {tool: [a, b]}`.
std::optional<MiddlewareConfig> read_map(config::ReadContext& context, const config::NodeRef& ref) {
  if (ref.node.children.size() != 1) {
    context.error(ref, "has several steps in one item; put a - in front of each");
    return std::nullopt;
  }
  const auto& only = ref.node.children.front();
  StepReader reader(context, ref);
  MiddlewareConfig step{.name = only.key, .at = context.origin(ref)};
  const config::NodeRef value{only, config::below(ref.path, only.key), ref.key_path};
  if (only.kind == config::Node::Kind::scalar && !reader.add("", value, step)) return std::nullopt;
  for (std::size_t index = 0; index < only.children.size(); ++index) {
    const auto& child = only.children[index];
    const auto member = child.key.empty() ? value.item(index) : value.member(child);
    if (!add_member(reader, member, child.key, step)) return std::nullopt;
  }
  return reader.finished(std::move(step));
}

std::optional<MiddlewareConfig> read_step(config::ReadContext& context, const config::NodeRef& ref) {
  if (ref.node.kind == config::Node::Kind::map) return read_map(context, ref);
  if (ref.node.kind == config::Node::Kind::scalar) return StepReader(context, ref).read();
  context.error(ref, fmt::format("expected a step such as timeout(30s), got {}", config::kind_phrase(ref.node.kind)));
  return std::nullopt;
}

void add_step(config::ReadContext& context, const config::NodeRef& ref, ChainConfig& into) {
  if (auto step = read_step(context, ref)) into.push_back(*std::move(step));
}

bool is_scalar(const config::NodeRef& ref, bool (*wanted)(std::string_view)) {
  return ref.node.kind == config::Node::Kind::scalar && wanted(ref.node.text);
}

void add_server(config::ReadContext& context, const config::NodeRef& ref, GatewayConfig& into) {
  const std::string name(chain_server);
  const config::NodeRef key_path{ref.node, ref.path, config::below("servers", name)};
  context.forget(key_path.key_path);
  auto* known = into.find(name);
  if (!known) known = &into.servers.emplace_back();
  *known = {.name = name, .at = context.origin(ref)};
  context.record_source(key_path);
  read_server_address(context, key_path, *known);
}

}  // namespace

void read_chain(config::ReadContext& context, const config::NodeRef& ref, ChainConfig& into) {
  into.clear();
  context.forget(ref.key_path);
  context.record_source(ref);
  if (ref.node.kind == config::Node::Kind::scalar)
    return add_step(context, {ref.node, ref.path, ref.key_path + "[0]"}, into);
  if (!context.is(ref, config::Node::Kind::list)) return;
  for (std::size_t index = 0; index < ref.node.children.size(); ++index) {
    add_step(context, ref.item(index), into);
  }
}

void read_gateway_chain(config::ReadContext& context, const std::vector<config::NodeRef>& steps, GatewayConfig& into) {
  into.chain.clear();
  context.forget("chain");
  for (std::size_t index = 0; index < steps.size(); ++index) {
    const auto& step = steps[index];
    if (index == 0 && is_scalar(step, is_listen_address)) {
      read_listen_address(context, {step.node, step.path, "listen"}, into.listen);
    } else if (index + 1 == steps.size() && is_scalar(step, is_server_address)) {
      add_server(context, step, into);
    } else {
      const config::NodeRef ref{step.node, step.path, fmt::format("chain[{}]", into.chain.size())};
      add_step(context, ref, into.chain);
    }
  }
}

}  // namespace fairlead::gateway
