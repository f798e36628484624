#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "cli/options.hpp"
#include "cli/server_options.hpp"

namespace fairlead::cli {
namespace {

// Options whose value may be a URL that is not the server's.
bool takes_value(std::string_view option) {
  constexpr std::array<std::string_view, 6> names{"--root", "--sample", "--answer", "-H", "--header", "--against"};
  return std::ranges::find(names, option) != names.end();
}

}  // namespace

bool is_url(std::string_view word) {
  constexpr std::array<std::string_view, 9> schemes{"http://",  "https://", "ws://",  "wss://", "rpc+http",
                                                    "sse+http", "rpc+ws",   "unix:/", "tcp:"};
  return std::ranges::any_of(schemes, [&](auto scheme) { return word.starts_with(scheme); });
}

void add_url_options(Options& options, UrlOptions& at) {
  options.repeatable("-H,--header", at.headers, "a header to send with every request to a URL", "<name: value>");
  options.text("--bearer", at.bearer, "a bearer token for the server at a URL", "<token>");
  options.text("--cacert", at.ca_file, "certificates to trust besides the system's (PEM)", "<file>");
  options.text("--cert", at.certificate_file, "the client certificate, for servers that request one (PEM)", "<file>");
  options.text("--key", at.key_file, "the private key of the client certificate (PEM)", "<file>");
}

std::string extract_url(Args& args) {
  if (args.server_command.size() == 1 && is_url(args.server_command.front())) {
    return std::exchange(args.server_command, {}).front();
  }
  if (!args.server_command.empty()) return {};
  for (auto word = args.own.begin(); word != args.own.end(); ++word) {
    if (!is_url(*word) || (word != args.own.begin() && takes_value(*(word - 1)))) continue;
    auto url = std::move(*word);
    args.own.erase(word);
    return url;
  }
  return {};
}

Result<transport::HttpClientOptions> http_client_options(const UrlOptions& at) {
  transport::HttpClientOptions options{.bearer = at.bearer};
  for (const auto& header : at.headers) {
    const auto colon = header.find(':');
    if (colon == std::string::npos || colon == 0) {
      return fail(ErrorKind::invalid, "--header: expected 'Name: value'");
    }
    const auto value = protocol::trim_header(std::string_view(header).substr(colon + 1));
    options.headers.push_back({header.substr(0, colon), std::string(value)});
  }
  options.http.tls = {.ca_file = at.ca_file, .certificate_file = at.certificate_file, .key_file = at.key_file};
  return options;
}

}  // namespace fairlead::cli
