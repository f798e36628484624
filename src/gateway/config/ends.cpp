#include "gateway/config/ends.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "gateway/config/scalars.hpp"
#include "gateway/config/words.hpp"
#include "http/url.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::string_view command_mark = "stdio:";
constexpr std::string_view socket_mark = "unix:";

constexpr auto web_schemes = std::to_array<std::string_view>({"http://", "https://", "ws://", "wss://"});

// Without what says that a server knows tool calls only.
std::string_view plain_scheme(std::string_view url) {
  if (url.starts_with("rpc+")) return url.substr(4);
  return url.starts_with("sse+http") ? url.substr(4) : url;
}

bool is_web(std::string_view url) {
  return std::ranges::any_of(web_schemes, [&](auto scheme) { return plain_scheme(url).starts_with(scheme); });
}

Place as(const Place& place, std::string_view meaning) {
  return {place.node, place.path, below(place.slot, meaning)};
}

// host:port, where either may be missing.
Result<void> take_authority(std::string_view text, std::string_view shown, ListenConfig& into) {
  const auto bracket = text.rfind(']');
  const auto colon = text.rfind(':');
  const bool has_port = colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  if (has_port) {
    const auto port = read_number(text.substr(colon + 1), shown, 65535);
    if (!port)
      return fail(ErrorKind::invalid, fmt::format("{} has no port; write http://:8080", value_in_quotes(shown)));
    into.port = static_cast<std::uint16_t>(*port);
  }
  auto host = text.substr(0, has_port ? colon : text.size());
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (!host.empty()) into.host = std::string(host);
  return {};
}

Result<void> take_http(std::string_view url, std::string_view shown, ListenConfig& into) {
  const auto rest = url.substr(std::string_view("http://").size());
  const auto slash = std::min(rest.find('/'), rest.size());
  auto base = rest.substr(slash);
  while (base.ends_with('/')) base.remove_suffix(1);
  into.http = true;
  into.base_path = std::string(base);
  return take_authority(rest.substr(0, slash), shown, into);
}

Result<void> take_front(std::string_view text, std::string_view shown, ListenConfig& into) {
  into.http = into.stdio = false;
  into.unix_socket.clear();
  if (text == "stdio") {
    into.stdio = true;
  } else if (text.starts_with("http://")) {
    return take_http(text, shown, into);
  } else if (text.starts_with(socket_mark) && text.size() > socket_mark.size()) {
    into.unix_socket = std::string(text.substr(socket_mark.size()));
  } else {
    return fail(ErrorKind::invalid,
                fmt::format("{} is no way in; write http://:8080, stdio or unix:/path", value_in_quotes(shown)));
  }
  return {};
}

}  // namespace

bool is_front(std::string_view text) {
  return text == "stdio" || text.starts_with("http://") || text.starts_with("https://") ||
         text.starts_with(socket_mark);
}

bool is_upstream(std::string_view text) {
  return text.starts_with(command_mark) || is_web(text) || text.starts_with(socket_mark) || text.starts_with("tcp:");
}

void read_front(Reading& reading, const Place& place, ListenConfig& into) {
  const auto given = reading.text(place);
  if (!given) return;
  const auto taken = take_front(given->text, place.node.text, into);
  if (!taken) return reading.wrong(place, taken.error().message);
  for (const auto key : {"http", "host", "port", "base_path", "stdio", "unix"}) {
    reading.took(as(place, key), given->variables);
  }
}

void read_upstream(Reading& reading, const Place& place, ServerConfig& into) {
  const std::string_view text = place.node.text;
  if (!text.starts_with(command_mark)) {
    const auto url = reading.text(place);
    if (!url) return;
    into.url = url->text;
    return reading.took(as(place, "url"), url->variables);
  }
  const auto words = split_words(text.substr(command_mark.size()));
  if (!words) return reading.wrong(place, words.error().message);
  if (words->empty()) return reading.wrong(place, "names no command; write stdio:npx -y some-server");
  std::vector<std::string> variables;
  for (const auto& word : *words) {
    // After the cut, so that what a variable holds can never become two words.
    auto filled = reading.text(place, word.text);
    if (!filled) return;
    into.command.push_back(std::move(filled->text));
    variables.insert(variables.end(), filled->variables.begin(), filled->variables.end());
  }
  reading.took(as(place, "command"), std::move(variables));
}

Result<void> check_server_url(std::string_view url, std::string_view shown) {
  if (is_web(url)) {
    const auto parsed = http::parse_url(plain_scheme(url));
    if (parsed) return {};
    return fail(ErrorKind::invalid, fmt::format("{} is no URL: {}", value_in_quotes(shown), parsed.error().message));
  }
  if (url.starts_with("unix:/")) return {};
  if (url.starts_with("tcp:") && url.rfind(':') > std::string_view("tcp:").size()) return {};
  return fail(ErrorKind::invalid,
              fmt::format("{} is no URL of a server; write http://, https://, ws://, wss://, unix:/path or "
                          "tcp:address:port",
                          value_in_quotes(shown)));
}

}  // namespace fairlead::gateway
