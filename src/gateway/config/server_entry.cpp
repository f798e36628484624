#include "gateway/config/server_entry.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/closest_match.hpp"
#include "config/env_file.hpp"
#include "config/field_codec.hpp"
#include "gateway/config/address_syntax.hpp"
#include "gateway/config/fields.hpp"
#include "gateway/config/foreign_keys.hpp"

namespace fairlead::gateway {
namespace {

// Keys of other programs that are ignored. `env_vars` of Codex names variables to inherit; here a server inherits all.
constexpr auto ignored_keys = std::to_array<std::string_view>({"alwaysAllow",    "autoApprove",
                                                               "clientName",     "default_tools_approval_mode",
                                                               "description",    "dev",
                                                               "env_vars",       "gallery",
                                                               "icon",           "lifecycle",
                                                               "logging",        "name",
                                                               "oauth_resource", "oauthRedirectUrl",
                                                               "required",       "scopes",
                                                               "tags",           "tokenCacheDir",
                                                               "trust",          "version"});

constexpr auto url_spellings =
    std::to_array<std::string_view>({"url", "endpoint", "serverUrl", "httpUrl", "baseUrl", "base_url"});

template <class EnumNames>
bool is_one_of(const EnumNames& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> known_keys() {
  auto names = config::field_names<ServerConfig>();
  for (const auto* more : {"args", "type", "transport", "env_file"}) names.emplace_back(more);
  return names;
}

// Returns the first of these members, or null.
const config::Node* first_of(const config::Node& entry, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    if (const auto* found = entry.find(name)) return found;
  }
  return nullptr;
}

}  // namespace

void ServerEntry::read() {
  if (!context_.is(ref_, config::Node::Kind::map)) return;
  for (const auto& child : ref_.node.children) read_member(child);
  // Read last: entries of `env` override the file.
  if (const auto* file = first_of(ref_.node, {"env_file", "envFile"})) {
    config::read_env_file(context_, ref_.member(*file, "env_file"), config::below(ref_.key_path, "env"), server_.env);
  }
  if (!server_.command.empty() && !server_.url.empty()) {
    context_.error(ref_, "has both a command and a url; keep one of them");
  }
  apply_transport();
}

void ServerEntry::read_member(const config::Node& child) {
  if (read_other_spelling(child)) return;
  const auto* field = config::find_field<ServerConfig>(child.key);
  if (!field) return read_unknown(child);
  field->read(context_, ref_.member(child), server_);
}

bool ServerEntry::read_other_spelling(const config::Node& child) {
  constexpr auto read_elsewhere =
      std::to_array<std::string_view>({"args", "type", "transport", "env_file", "envFile", "name"});
  if (child.key == "command") {
    read_command(ref_.member(child));
  } else if (is_one_of(url_spellings, child.key)) {
    read_url(ref_.member(child, "url"));
  } else if (child.key == "requestTimeoutMs") {
    read_milliseconds(ref_.member(child, "timeout"));
  } else if (child.key == "timeout" && dialect_ == Dialect::foreign && is_number(child.text)) {
    read_bare_timeout(ref_.member(child));
  } else if (is_one_of(read_elsewhere, child.key)) {
    return true;
  } else {
    return dialect_ == Dialect::foreign && read_foreign_member({context_, ref_, server_}, child);
  }
  return true;
}

void ServerEntry::read_unknown(const config::Node& child) {
  const auto known = known_keys();
  if (is_one_of(ignored_keys, child.key)) return;
  if (dialect_ == Dialect::foreign && !closest_match(child.key, known)) {
    return context_.warn(ref_.member(child), "is not used here and is ignored");
  }
  context_.unknown_key(ref_.member(child), known);
}

void ServerEntry::read_command(const config::NodeRef& command) {
  const auto* args = ref_.node.find("args");
  if (command.node.kind == config::Node::Kind::list) {
    config::FieldCodec<std::vector<std::string>>::read(context_, command, server_.command);
  } else {
    const auto program = context_.text(command);
    if (!program) return;
    const bool a_line = program->text.find(' ') != std::string::npos && program->text.find('/') != 0;
    if (a_line && !args) {
      return context_.error(command, "is a command line, but no shell runs it; write a list: [npx, -y, some-server]");
    }
    server_.command = {program->text};
    context_.record_source(command, program->variables);
  }
  if (server_.command.empty() || server_.command.front().empty()) context_.error(command, "has no program");
  if (!args) return;
  std::vector<std::string> more;
  config::FieldCodec<std::vector<std::string>>::read(context_, ref_.member(*args), more);
  server_.command.insert(server_.command.end(), more.begin(), more.end());
}

void ServerEntry::read_url(const config::NodeRef& url) {
  const auto given = context_.text(url);
  if (!given) return;
  if (const auto right = check_server_url(given->text, url.node.text); !right) {
    return context_.error(url, right.error().message);
  }
  server_.url = given->text;
  context_.record_source(url, given->variables);
}

void ServerEntry::read_milliseconds(const config::NodeRef& timeout) {
  std::uint64_t number = 0;
  constexpr std::uint64_t most = 8'640'000'000;  // 100 days.
  config::read_scalar(context_, timeout, number, [](std::string_view text, std::string_view shown) {
    return config::read_number<std::uint64_t>(text, shown, 0, most);
  });
  server_.timeout = std::chrono::milliseconds(number);
}

void ServerEntry::read_bare_timeout(const config::NodeRef& timeout) {
  constexpr std::size_t digits_of_a_second = 4;
  if (timeout.node.text.size() >= digits_of_a_second) return read_milliseconds(timeout);
  context_.error(timeout, fmt::format("is a number without a unit; write \"{0}s\" or \"{0}ms\"", timeout.node.text));
}

void ServerEntry::apply_transport() {
  const auto* named = first_of(ref_.node, {"transport", "type"});
  if (!named) return;
  const auto transport = ref_.member(*named);
  const auto name = context_.text(transport);
  if (!name) return;
  const bool is_local = name->text == "stdio" || (dialect_ == Dialect::foreign && name->text == "local");
  if (!is_local) return apply_web_transport(transport, name->text);
  if (server_.command.empty() && !ref_.node.find("command")) {
    context_.error(ref_, "command required for stdio transport");
  }
}

void ServerEntry::apply_web_transport(const config::NodeRef& transport, const std::string& name) {
  constexpr auto names =
      std::to_array<std::string_view>({"http", "sse", "ws", "websocket", "streamableHttp", "streamable-http"});
  const bool is_remote = dialect_ == Dialect::foreign && name == "remote";
  if (!is_remote && !is_one_of(names, name)) {
    const auto message = fmt::format("expected one of stdio, http, sse, ws, streamableHttp, got {}",
                                     config::value_in_quotes(transport.node.text));
    return context_.error(transport, message);
  }
  const bool has_url = std::ranges::any_of(url_spellings, [&](auto key) { return ref_.node.find(key) != nullptr; });
  if (!has_url) return context_.error(ref_, "endpoint required for http transports");
  const bool socket = name == "ws" || name == "websocket";
  if (socket && server_.url.starts_with("http")) server_.url.replace(0, 4, "ws");
  // A `ServerInfo` with an endpoint describes a server that supports tool calls only.
  const bool plain = server_.url.starts_with("http") || server_.url.starts_with("ws");
  if (!ref_.node.find("endpoint") || !plain || name.starts_with("streamable")) return;
  server_.url.insert(0, name == "sse" ? "sse+" : "rpc+");
}

}  // namespace fairlead::gateway
