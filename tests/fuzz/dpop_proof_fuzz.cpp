// No proof of any bytes is accepted for a token that is bound to another key.
#include <cstdint>
#include <cstdlib>

#include "auth/oauth/dpop.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fairlead::auth;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const auto bound_to = jose::Key::generate_es256().value().thumbprint();
  ProofCheck check(jose::all_algorithms(), 10);
  const ProvenRequest request{
      .method = "GET", .url = "https://resource.example.org/protectedresource", .token = "token", .bound_to = bound_to};
  const auto time = ProofCheck::Time(std::chrono::seconds(1562262618));
  if (check.check(text, request, time)) std::abort();
  return 0;
}
