#pragma once

#include "config/field_codec.hpp"
#include "gateway/config/config.hpp"

/// Reads and prints `listen.oauth`.
namespace fairlead::gateway {

struct OAuthCodec {
  static void read(config::ReadContext& context, const config::NodeRef& ref, ListenOAuthConfig& into);
  static void show(config::Printer& printer, std::string_view name, const ListenOAuthConfig& value);
};

/// The origin of a public URL: `https://tools.example`.
Result<std::string> read_public_url(std::string_view text, std::string_view shown);
using PublicUrlCodec = config::ParsedCodec<&read_public_url>;

}  // namespace fairlead::gateway
