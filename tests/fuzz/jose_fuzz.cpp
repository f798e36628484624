// Tokens, keys and key sets of any bytes are read without a crash, and none is accepted that the known key did not
// sign.
#include <cstdlib>

#include "auth/jose/jose.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fairlead::auth::jose;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const auto known = Key::generate_es256().value();
  const auto own = [](const Token&) { return std::optional(known); };
  if (verify(text, own, all_algorithms())) std::abort();

  const auto inside = [](const Token& token) {
    const auto jwk = token.header_members.find("jwk");
    auto key = jwk == token.header_members.end() ? fairlead::Result<Key>(known) : Key::from_jwk(jwk->second);
    return key ? std::optional(*key) : std::nullopt;
  };
  (void)verify(text, inside, all_algorithms());
  if (const auto key = Key::from_jwk(text)) {
    if (Key::from_jwk(key->public_jwk()).value().thumbprint() != key->thumbprint()) std::abort();
  }
  (void)Key::from_pem(text);
  (void)read_jwk_set(text);
  return 0;
}
