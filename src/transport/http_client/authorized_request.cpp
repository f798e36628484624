#include "transport/http_client/authorized_request.hpp"

namespace fairlead::transport {
namespace {

bool has_authorization(const HttpClientOptions& options) {
  for (const auto& header : options.headers) {
    if (protocol::same_header(header.name, "Authorization")) return true;
  }
  return !options.bearer.empty();
}

}  // namespace

auth::TokenSource* token_source(const HttpClientOptions& options) {
  return options.tokens && !has_authorization(options) ? options.tokens.get() : nullptr;
}

}  // namespace fairlead::transport
