#include "gateway/model/server_uri.hpp"

#include <algorithm>
#include <array>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/writer.hpp>
#include <fmt/format.h>
#include <span>
#include <vector>

#include "base/ascii.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::array<std::string_view, 2> schemes = {"skill://", "ui://"};

std::string_view scheme_of(std::string_view uri) {
  const auto found = std::ranges::find_if(schemes, [&](std::string_view scheme) { return uri.starts_with(scheme); });
  return found == schemes.end() ? std::string_view() : *found;
}

// The names of servers may contain any character.
std::string segment_of(std::string_view server) {
  std::string segment;
  for (const char c : server) {
    const bool is_plain = ascii::is_alphanumeric(c) || c == '-' || c == '_' || c == '.' || c == '~';
    segment += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return segment;
}

std::string start_of(std::string_view scheme, std::string_view server) {
  return std::string(scheme) + segment_of(server) + '/';
}

constexpr std::array<std::string_view, 4> uri_members = {"uri", "uriTemplate", "resourceUri", "ui/resourceUri"};
constexpr std::array<std::string_view, 6> opaque_members = {"structuredContent", "frontmatter", "inputSchema",
                                                            "outputSchema",      "arguments",   "inputRequests"};

bool is_one_of(std::string_view name, std::span<const std::string_view> all) {
  return std::ranges::find(all, name) != all.end();
}

void find_uris(json::Reader& reader, std::vector<std::string_view>& found) {
  const auto kind = reader.kind();
  if (kind != json::Kind::object && kind != json::Kind::array) {
    reader.skip();
    return;
  }
  for (reader.open(); reader.more();) {
    const auto name = kind == json::Kind::object ? reader.key() : std::string_view();
    const bool is_uri = is_one_of(name, uri_members), is_opaque = is_one_of(name, opaque_members);
    if (is_uri && reader.kind() == json::Kind::string) {
      found.push_back(reader.skip());
    } else if (is_opaque) {
      reader.skip();
    } else {
      find_uris(reader, found);
    }
  }
}

bool may_have_such_uris(std::string_view json) {
  return json.contains("\"skill:") || json.contains("\"ui:");
}

}  // namespace

bool names_its_server(std::string_view uri) {
  return !scheme_of(uri).empty();
}

std::string add_server_name(std::string_view uri, std::string_view server) {
  const auto scheme = scheme_of(uri);
  return scheme.empty() ? std::string(uri) : start_of(scheme, server) + std::string(uri.substr(scheme.size()));
}

bool has_server_name(std::string_view uri, std::string_view server) {
  const auto scheme = scheme_of(uri);
  return !scheme.empty() && uri.starts_with(start_of(scheme, server));
}

std::string remove_server_name(std::string_view uri, std::string_view server) {
  if (!has_server_name(uri, server)) return std::string(uri);
  const auto scheme = scheme_of(uri);
  return std::string(scheme) + std::string(uri.substr(start_of(scheme, server).size()));
}

json::Payload add_server_names(json::Payload result, std::string_view server) {
  const auto text = result.text();
  if (!may_have_such_uris(text)) return result;
  std::vector<std::string_view> found;
  json::Reader reader(text);
  find_uris(reader, found);
  std::string out;
  std::size_t copied = 0;
  for (const auto value : found) {
    const auto uri = json::decode<std::string>(value);
    if (!uri || !names_its_server(*uri)) continue;
    const auto begin = static_cast<std::size_t>(value.data() - text.data());
    out += text.substr(copied, begin - copied);
    json::write_string(out, add_server_name(*uri, server));
    copied = begin + value.size();
  }
  if (copied == 0) return result;
  out += text.substr(copied);
  return json::Payload::trusted(std::move(out));
}

}  // namespace fairlead::gateway
