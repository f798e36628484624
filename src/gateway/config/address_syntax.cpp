#include "gateway/config/address_syntax.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "config/scalars.hpp"
#include "config/shell_words.hpp"
#include "http/url.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::string_view command_mark = "stdio:";
constexpr std::string_view socket_mark = "unix:";

constexpr auto web_schemes = std::to_array<std::string_view>({"http://", "https://", "ws://", "wss://"});

// Removes the prefix `rpc+` or `sse+` of a server that supports tool calls only.
std::string_view plain_scheme(std::string_view url) {
  if (url.starts_with("rpc+")) return url.substr(4);
  return url.starts_with("sse+http") ? url.substr(4) : url;
}

bool is_web(std::string_view url) {
  return std::ranges::any_of(web_schemes, [&](auto scheme) { return plain_scheme(url).starts_with(scheme); });
}

config::NodeRef as(const config::NodeRef& ref, std::string_view meaning) {
  return {ref.node, ref.path, config::below(ref.key_path, meaning)};
}

// Parses `host:port`; either may be missing.
Result<void> parse_authority(std::string_view text, std::string_view shown, ListenConfig& into) {
  const auto bracket = text.rfind(']');
  const auto colon = text.rfind(':');
  const bool has_port = colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  if (has_port) {
    const auto port = config::read_number<std::uint16_t>(text.substr(colon + 1), shown, 0, 65535);
    if (!port)
      return fail(ErrorKind::invalid,
                  fmt::format("{} has no valid port; write http://:8080", config::value_in_quotes(shown)));
    into.port = *port;
  }
  auto host = text.substr(0, has_port ? colon : text.size());
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (!host.empty()) into.host = std::string(host);
  return {};
}

Result<void> parse_listen_url(std::string_view url, std::string_view shown, ListenConfig& into) {
  const auto rest = url.substr(std::string_view("http://").size());
  const auto slash = std::min(rest.find('/'), rest.size());
  auto base = rest.substr(slash);
  while (base.ends_with('/')) base.remove_suffix(1);
  into.http = true;
  into.base_path = std::string(base);
  return parse_authority(rest.substr(0, slash), shown, into);
}

Result<void> parse_listen_address(std::string_view text, std::string_view shown, ListenConfig& into) {
  into.http = into.stdio = false;
  into.unix_socket.clear();
  if (text == "stdio") {
    into.stdio = true;
  } else if (text.starts_with("http://")) {
    return parse_listen_url(text, shown, into);
  } else if (text.starts_with(socket_mark) && text.size() > socket_mark.size()) {
    into.unix_socket = std::string(text.substr(socket_mark.size()));
  } else {
    return fail(ErrorKind::invalid, fmt::format("{} is not a listen address; write http://:8080, stdio or unix:/path",
                                                config::value_in_quotes(shown)));
  }
  return {};
}

}  // namespace

bool is_listen_address(std::string_view text) {
  return text == "stdio" || text.starts_with("http://") || text.starts_with("https://") ||
         text.starts_with(socket_mark);
}

bool is_server_address(std::string_view text) {
  return text.starts_with(command_mark) || is_web(text) || text.starts_with(socket_mark) || text.starts_with("tcp:");
}

void read_listen_address(config::ReadContext& context, const config::NodeRef& ref, ListenConfig& into) {
  const auto given = context.text(ref);
  if (!given) return;
  const auto taken = parse_listen_address(given->text, ref.node.text, into);
  if (!taken) return context.error(ref, taken.error().message);
  for (const auto key : {"http", "host", "port", "base_path", "stdio", "unix"}) {
    context.record_source(as(ref, key), given->variables);
  }
}

void read_server_address(config::ReadContext& context, const config::NodeRef& ref, ServerConfig& into) {
  const std::string_view text = ref.node.text;
  if (!text.starts_with(command_mark)) {
    const auto url = context.text(ref);
    if (!url) return;
    into.url = url->text;
    return context.record_source(as(ref, "url"), url->variables);
  }
  const auto words = config::split_words(text.substr(command_mark.size()));
  if (!words) return context.error(ref, words.error().message);
  if (words->empty()) return context.error(ref, "has no command; write stdio:npx -y some-server");
  std::vector<std::string> variables;
  for (const auto& word : *words) {
    // Expanded after splitting, so that the value of a variable stays one argument.
    auto filled = context.text(ref, word.text);
    if (!filled) return;
    into.command.push_back(std::move(filled->text));
    variables.insert(variables.end(), filled->variables.begin(), filled->variables.end());
  }
  context.record_source(as(ref, "command"), std::move(variables));
}

Result<void> check_server_url(std::string_view url, std::string_view shown) {
  if (is_web(url)) {
    const auto parsed = http::parse_url(plain_scheme(url));
    if (parsed) return {};
    return fail(ErrorKind::invalid,
                fmt::format("{} is not a URL: {}", config::value_in_quotes(shown), parsed.error().message));
  }
  if (url.starts_with("unix:/")) return {};
  if (url.starts_with("tcp:") && url.rfind(':') > std::string_view("tcp:").size()) return {};
  return fail(ErrorKind::invalid,
              fmt::format("{} is not a server URL; write http://, https://, ws://, wss://, unix:/path or "
                          "tcp:address:port",
                          config::value_in_quotes(shown)));
}

}  // namespace fairlead::gateway
