// A token response gives a token of a known type, and an error of the endpoint repeats no secret of the request.
#include <cstdint>
#include <cstdlib>
#include <fairlead/protocol/headers.hpp>

#include "auth/client/token_request.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fairlead;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto token = auth::read_token({.status = 200, .body = text});
  if (token && auth::check_token(*token, false)) {
    if (token->access_token.empty() || !protocol::same_header(token->token_type.value_or("bearer"), "bearer"))
      std::abort();
  }
  const auto refused = auth::read_token({.status = 400, .body = text});
  if (refused) std::abort();
  auth::Form form;
  form.add("code", "secret-code").add("refresh_token", "secret");
  if (form.without_secrets(refused.error().message).contains("secret")) std::abort();
  return 0;
}
