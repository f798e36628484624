// A callback gives a code only at the right address, with the right state, and only from the right issuer.
#include <cstdint>
#include <cstdlib>

#include "auth/client/flow.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fairlead::auth;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string redirect_uri = "http://127.0.0.1/callback";
  const Pending pending{.state = "S", .verifier = "V"};
  Discovered found{.issuer = "https://a.example"};
  found.server.authorization_response_iss_parameter_supported = true;
  const auto code = read_callback(text, redirect_uri, pending, found);
  if (code && (code->empty() || !text.starts_with(redirect_uri + "?"))) std::abort();
  // Without the announcement, a response without `iss` is accepted too, but never one of another issuer.
  found.server.authorization_response_iss_parameter_supported = false;
  const auto relaxed = read_callback(redirect_uri + "?state=S&" + text, redirect_uri, pending, found);
  if (relaxed && relaxed->empty()) std::abort();
  if (code && !read_callback(text, redirect_uri, pending, found)) std::abort();
  return 0;
}
