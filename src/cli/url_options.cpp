#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "cli/options.hpp"
#include "cli/server_options.hpp"

namespace fairlead::cli {
namespace {

bool is_url(std::string_view word) {
  constexpr std::array<std::string_view, 9> schemes{"http://",  "https://", "ws://",  "wss://", "rpc+http",
                                                    "sse+http", "rpc+ws",   "unix:/", "tcp:"};
  return std::ranges::any_of(schemes, [&](auto scheme) { return word.starts_with(scheme); });
}

// Options whose value may look like a URL.
bool takes_value(std::string_view option) {
  constexpr std::array<std::string_view, 6> names{"--root", "--sample", "--answer", "-H", "--header", "--against"};
  return std::ranges::find(names, option) != names.end();
}

}  // namespace

void add_url_options(Options& options, UrlOptions& at) {
  options.list("-H,--header", at.headers, "a header for every request to a URL", "<name: value>");
  options.text("--bearer", at.bearer, "a token that the server at a URL asks for", "<token>");
  options.text("--cacert", at.ca_file, "a file of certificates to trust besides the system's", "<file>");
  options.text("--cert", at.certificate_file, "the certificate to show to a server that asks for one", "<file>");
  options.text("--key", at.key_file, "its private key", "<file>");
}

std::string take_url(Words& words) {
  if (words.child.size() == 1 && is_url(words.child.front())) {
    return std::exchange(words.child, {}).front();
  }
  if (!words.child.empty()) return {};
  for (auto word = words.own.begin(); word != words.own.end(); ++word) {
    if (!is_url(*word) || (word != words.own.begin() && takes_value(*(word - 1)))) continue;
    auto url = std::move(*word);
    words.own.erase(word);
    return url;
  }
  return {};
}

Result<transport::HttpClientOptions> choose_http(const UrlOptions& at) {
  transport::HttpClientOptions options{.bearer = at.bearer};
  for (const auto& header : at.headers) {
    const auto colon = header.find(':');
    if (colon == std::string::npos || colon == 0) {
      return fail(ErrorKind::invalid, "--header: write it like 'Name: value'");
    }
    const auto value = protocol::trim_header(std::string_view(header).substr(colon + 1));
    options.headers.push_back({header.substr(0, colon), std::string(value)});
  }
  options.http.tls = {.ca_file = at.ca_file, .certificate_file = at.certificate_file, .key_file = at.key_file};
  return options;
}

}  // namespace fairlead::cli
