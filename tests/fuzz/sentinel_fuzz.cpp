#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fairlead/base/base64.hpp>
#include <fairlead/base/utf8.hpp>
#include <fairlead/protocol/header_value.hpp>
#include <string_view>

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_base64(std::string_view input, fairlead::Base64 form) {
  require(fairlead::base64_decode(fairlead::base64_encode(input, form), form) == input);
  if (const auto bytes = fairlead::base64_decode(input, form)) require(fairlead::base64_encode(*bytes, form) == input);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fairlead::protocol;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  check_base64(input, fairlead::Base64::standard);
  check_base64(input, fairlead::Base64::url);

  const std::string encoded = encode_header_value(input);
  for (const char c : encoded) require(c >= ' ' && c <= '~');
  const auto decoded = decode_header_value(encoded);
  require(decoded.has_value() == fairlead::is_utf8(input));
  if (decoded) require(*decoded == input);

  if (const auto text = decode_header_value(input)) require(decode_header_value(encode_header_value(*text)) == *text);
  return 0;
}
