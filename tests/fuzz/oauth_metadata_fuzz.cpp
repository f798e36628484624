// Metadata is used only if it is about the right server or issuer, and its endpoints are encrypted or local.
#include <cstdint>
#include <cstdlib>
#include <fairlead/json/codec.hpp>

#include "auth/client/metadata.hpp"
#include "http/address.hpp"
#include "http/url.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_safe(const std::optional<std::string>& text) {
  const auto url = fairlead::http::parse_url(text.value_or("https://none"));
  return url && (url->scheme == "https" || url->host == "localhost" || fairlead::http::is_loopback(url->host));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fairlead;
  auto text = json::Payload::parse(std::string(reinterpret_cast<const char*>(data), size));
  if (!text) return 0;
  const auto resource = json::decode<auth::ResourceMetadata>(*text);
  if (resource && auth::check_resource("https://a.example/mcp", *resource)) {
    require(resource->resource &&
            protocol::same_header(std::string_view(*resource->resource).substr(0, 8), "https://"));
  }
  const auto server = json::decode<auth::ServerMetadata>(*text);
  if (server && auth::check_server(*server, "https://a.example", auth::Grant::code)) {
    require(server->issuer == "https://a.example" && server->token_endpoint);
    require(auth::lists(server->code_challenge_methods_supported, "S256"));
    for (const auto* url : {&server->token_endpoint, &server->authorization_endpoint, &server->registration_endpoint}) {
      require(is_safe(*url) && (!*url || !(*url)->contains('#')));
    }
  }
  return 0;
}
