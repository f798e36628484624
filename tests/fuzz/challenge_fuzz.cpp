// For every WWW-Authenticate header, reading ends, and values are no longer than the header.
#include <cstdint>
#include <cstdlib>
#include <fairlead/auth/credential.hpp>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  fairlead::http::ClientResponse response{.status = 401};
  response.headers.push_back({"WWW-Authenticate", text});
  const auto found = fairlead::auth::read_challenge(response);
  const auto total = found.resource_metadata.size() + found.scope.size() + found.error.size();
  if (total > text.size()) std::abort();
  if (!found.bearer && !found.dpop && total != 0) std::abort();
  return 0;
}
