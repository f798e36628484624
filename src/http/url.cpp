#include "http/url.hpp"

#include <algorithm>
#include <array>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <charconv>
#include <fairlead/base/base64.hpp>
#include <utility>

#include "base/uri.hpp"
#include "http/field_list.hpp"

namespace fairlead::http {
namespace urls = boost::urls;

namespace {

std::uint16_t default_port(std::string_view scheme) {
  constexpr std::array<std::pair<std::string_view, std::uint16_t>, 4> ports{
      {{"http", 80}, {"https", 443}, {"ws", 80}, {"wss", 443}}};
  for (const auto& [name, port] : ports) {
    if (name == scheme) return port;
  }
  return 0;
}

std::string plain_host(const urls::url_view& url) {
  if (url.host_type() == urls::host_type::ipv6) return lower_case(url.host_address());
  return lower_case(url.host());
}

Result<void> read_port(std::string_view digits, Url& url) {
  if (digits.empty()) return {};
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), url.port);
  if (failed == std::errc() && end == digits.data() + digits.size() && url.port != 0) return {};
  return fail(ErrorKind::invalid, "the URL's port must be a number from 1 to 65535");
}

// Boost.URL 1.81 ends the host of `http://127.0.0.1.example/x` after the address, and begins the path with the rest: a
// foreign name would count as this machine.
Result<void> complete_host(Url& url) {
  const auto rest = url.target.substr(0, url.target.find_first_of("/?"));
  if (rest.empty()) return {};
  const bool is_name = !url.host.contains(':') && rest.find_first_of("%@") == std::string::npos;
  if (!is_name) return fail(ErrorKind::invalid, "the URL has an invalid host");
  url.target.erase(0, rest.size());
  const auto colon = std::min(rest.find(':'), rest.size());
  url.host += lower_case(rest.substr(0, colon));
  return read_port(std::string_view(rest).substr(std::min(colon + 1, rest.size())), url);
}

Result<Url> from_url_view(const urls::url_view& from) {
  Url url{.scheme = lower_case(std::string_view(from.scheme().data(), from.scheme().size()))};
  url.port = default_port(url.scheme);
  if (url.port == 0) return fail(ErrorKind::invalid, "a URL must start with http://, https://, ws:// or wss://");
  url.host = plain_host(from);
  if (url.host.empty()) return fail(ErrorKind::invalid, "the URL has no host");
  const auto port = from.port();
  if (auto read = read_port({port.data(), port.size()}, url); !read) return std::unexpected(std::move(read.error()));
  const auto target = from.encoded_target();
  url.target = std::string(target.data(), target.size());
  if (auto complete = complete_host(url); !complete) return std::unexpected(std::move(complete.error()));
  if (!url.target.starts_with('/')) url.target.insert(0, "/");
  if (from.has_userinfo()) url.credentials = std::string(from.userinfo());
  if (from.has_userinfo() && !from.has_password()) url.credentials += ':';
  return url;
}

}  // namespace

std::string Url::authority() const {
  const auto name = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return port == default_port(scheme) ? name : name + ':' + std::to_string(port);
}

std::string Url::redacted() const {
  return origin() + target.substr(0, target.find('?'));
}

Result<Url> parse_url(std::string_view text) {
  const auto parsed = urls::parse_uri(urls::string_view(text.data(), text.size()));
  if (!parsed) return fail(ErrorKind::invalid, "this is not a URL; write it like https://host/path");
  return from_url_view(*parsed);
}

Result<Url> resolve_url(const Url& base, std::string_view reference) {
  const auto whole = resolve_uri(base.origin() + base.target, reference);
  const auto parsed = urls::parse_uri(whole);
  if (!parsed) return fail(ErrorKind::malformed, "the server sent an invalid URL");
  return from_url_view(*parsed);
}

std::string basic_authorization(std::string_view credentials) {
  return "Basic " + base64_encode(credentials);
}

}  // namespace fairlead::http
