#include "gateway/config/server_entry.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "base/nearest.hpp"
#include "gateway/config/ends.hpp"
#include "gateway/config/env_file.hpp"
#include "gateway/config/foreign_words.hpp"
#include "gateway/config/forms.hpp"

namespace fairlead::gateway {
namespace {

// What other programs keep in their entries, and what means nothing to us. `env_vars` of Codex names variables that a
// server shall inherit; here it inherits all.
constexpr auto of_others = std::to_array<std::string_view>({"alwaysAllow",
                                                            "auth",
                                                            "autoApprove",
                                                            "clientName",
                                                            "default_tools_approval_mode",
                                                            "description",
                                                            "dev",
                                                            "env_vars",
                                                            "gallery",
                                                            "icon",
                                                            "lifecycle",
                                                            "logging",
                                                            "name",
                                                            "oauth",
                                                            "oauth_resource",
                                                            "oauthRedirectUrl",
                                                            "required",
                                                            "scopes",
                                                            "tags",
                                                            "tokenCacheDir",
                                                            "trust",
                                                            "version"});

constexpr auto url_spellings =
    std::to_array<std::string_view>({"url", "endpoint", "serverUrl", "httpUrl", "baseUrl", "base_url"});

template <class Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> known_keys() {
  auto names = field_names<ServerConfig>();
  for (const auto* more : {"args", "type", "transport", "env_file"}) names.emplace_back(more);
  return names;
}

// A member of any of these names, or null.
const Node* first_of(const Node& entry, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    if (const auto* found = entry.find(name)) return found;
  }
  return nullptr;
}

}  // namespace

void ServerEntry::read() {
  if (!reading_.is(place_, Node::Kind::map)) return;
  for (const auto& child : place_.node.children) read_member(child);
  // Last, because what `env` names itself is stronger.
  if (const auto* file = first_of(place_.node, {"env_file", "envFile"})) {
    read_env_file(reading_, place_.member(*file, "env_file"), server_.env);
  }
  if (!server_.command.empty() && !server_.url.empty()) {
    reading_.wrong(place_, "has both a command and a url; keep one");
  }
  apply_transport();
}

void ServerEntry::read_member(const Node& child) {
  if (read_other_spelling(child)) return;
  const auto* field = find_field<ServerConfig>(child.key);
  if (!field) return read_unknown(child);
  field->read(reading_, place_.member(child), server_);
}

bool ServerEntry::read_other_spelling(const Node& child) {
  constexpr auto read_elsewhere =
      std::to_array<std::string_view>({"args", "type", "transport", "env_file", "envFile", "name"});
  if (child.key == "command") {
    read_command(place_.member(child));
  } else if (is_one_of(url_spellings, child.key)) {
    read_url(place_.member(child, "url"));
  } else if (child.key == "requestTimeoutMs") {
    read_milliseconds(place_.member(child, "timeout"));
  } else if (child.key == "timeout" && dialect_ == Dialect::foreign && is_number(child.text)) {
    read_bare_timeout(place_.member(child));
  } else if (is_one_of(read_elsewhere, child.key)) {
    return true;
  } else {
    return dialect_ == Dialect::foreign && read_foreign_member({reading_, place_, server_}, child);
  }
  return true;
}

void ServerEntry::read_unknown(const Node& child) {
  const auto known = known_keys();
  if (is_one_of(of_others, child.key)) return;
  if (dialect_ == Dialect::foreign && !nearest(child.key, known)) {
    return reading_.warn(place_.member(child), "means nothing here, and is ignored");
  }
  reading_.unknown(place_.member(child), known);
}

void ServerEntry::read_command(const Place& command) {
  const auto* args = place_.node.find("args");
  if (command.node.kind == Node::Kind::list) {
    Form<std::vector<std::string>>::read(reading_, command, server_.command);
  } else {
    const auto program = reading_.text(command);
    if (!program) return;
    const bool a_line = program->text.find(' ') != std::string::npos && program->text.find('/') != 0;
    if (a_line && !args) {
      return reading_.wrong(command, "is a whole line, and no shell reads it; write a list: [npx, -y, some-server]");
    }
    server_.command = {program->text};
    reading_.took(command, program->variables);
  }
  if (server_.command.empty() || server_.command.front().empty()) reading_.wrong(command, "names no program");
  if (!args) return;
  std::vector<std::string> more;
  Form<std::vector<std::string>>::read(reading_, place_.member(*args), more);
  server_.command.insert(server_.command.end(), more.begin(), more.end());
}

void ServerEntry::read_url(const Place& url) {
  const auto given = reading_.text(url);
  if (!given) return;
  if (const auto right = check_server_url(given->text, url.node.text); !right) {
    return reading_.wrong(url, right.error().message);
  }
  server_.url = given->text;
  reading_.took(url, given->variables);
}

void ServerEntry::read_milliseconds(const Place& timeout) {
  std::uint64_t number = 0;
  constexpr std::uint64_t most = 8'640'000'000;  // 100 days.
  read_scalar(reading_, timeout, number,
              [](std::string_view text, std::string_view shown) { return read_number(text, shown, most); });
  server_.timeout = std::chrono::milliseconds(number);
}

void ServerEntry::read_bare_timeout(const Place& timeout) {
  constexpr std::size_t digits_of_a_second = 4;
  if (timeout.node.text.size() >= digits_of_a_second) return read_milliseconds(timeout);
  reading_.wrong(timeout, fmt::format("is a number without a unit; write \"{0}s\" or \"{0}ms\"", timeout.node.text));
}

void ServerEntry::apply_transport() {
  const auto* named = first_of(place_.node, {"transport", "type"});
  if (!named) return;
  const auto transport = place_.member(*named);
  const auto name = reading_.text(transport);
  if (!name) return;
  const bool is_local = name->text == "stdio" || (dialect_ == Dialect::foreign && name->text == "local");
  if (!is_local) return apply_web_transport(transport, name->text);
  if (server_.command.empty() && !place_.node.find("command")) {
    reading_.wrong(place_, "command required for stdio transport");
  }
}

void ServerEntry::apply_web_transport(const Place& transport, const std::string& name) {
  constexpr auto names =
      std::to_array<std::string_view>({"http", "sse", "ws", "websocket", "streamableHttp", "streamable-http"});
  const bool is_remote = dialect_ == Dialect::foreign && name == "remote";
  if (!is_remote && !is_one_of(names, name)) {
    const auto message = fmt::format("{} is no transport; there are stdio, http, sse, ws and streamableHttp",
                                     value_in_quotes(transport.node.text));
    return reading_.wrong(transport, message);
  }
  const bool said = std::ranges::any_of(url_spellings, [&](auto key) { return place_.node.find(key) != nullptr; });
  if (!said) return reading_.wrong(place_, "endpoint required for http transports");
  const bool socket = name == "ws" || name == "websocket";
  if (socket && server_.url.starts_with("http")) server_.url.replace(0, 4, "ws");
  // A `ServerInfo` has an endpoint, and behind it a server that knows tool calls and nothing else.
  const bool plain = server_.url.starts_with("http") || server_.url.starts_with("ws");
  if (!place_.node.find("endpoint") || !plain || name.starts_with("streamable")) return;
  server_.url.insert(0, name == "sse" ? "sse+" : "rpc+");
}

}  // namespace fairlead::gateway
