#include <fairlead/base/base64.hpp>

#include <array>
#include <cstddef>
#include <fmt/core.h>

namespace fairlead {
namespace {

constexpr std::string_view standard_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view url_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// A bit above the six bits of a digit, so that one test on the four digits of a group finds an invalid character.
constexpr std::uint32_t no_digit = 0x80;

using Values = std::array<std::uint8_t, 256>;

constexpr Values values_of(std::string_view digits) {
  Values values{};
  values.fill(no_digit);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    values[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}

constexpr Values standard_values = values_of(standard_digits);
constexpr Values url_values = values_of(url_digits);

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U;
}

Result<std::string> invalid_digit(std::string_view text, const Values& values) {
  std::size_t at = 0;
  while (at < text.size() && values[byte_at(text, at)] != no_digit) ++at;
  return fail(ErrorKind::malformed, fmt::format("base64: byte {} is not a digit of the alphabet", at));
}

/// Removes the padding; false if it does not match the form.
bool strip_padding(std::string_view& text, Base64 form) {
  if (form == Base64::url) return text.size() % 4 != 1;
  if (text.size() % 4 != 0) return false;
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  return true;
}

}  // namespace

std::string base64_encode(std::string_view bytes, Base64 form) {
  const char* digits = (form == Base64::url ? url_digits : standard_digits).data();
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  std::size_t out = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 3, out += 4) {
    const std::uint32_t group = byte_at(bytes, at) << 16 | byte_at(bytes, at + 1) << 8 | byte_at(bytes, at + 2);
    text[out] = digits[group >> 18];
    text[out + 1] = digits[group >> 12 & 63];
    if (at + 1 < bytes.size()) text[out + 2] = digits[group >> 6 & 63];
    if (at + 2 < bytes.size()) text[out + 3] = digits[group & 63];
  }
  if (form == Base64::url) text.resize((bytes.size() * 4 + 2) / 3);
  return text;
}

Result<std::string> base64_decode(std::string_view text, Base64 form) {
  const Values& values = form == Base64::url ? url_values : standard_values;
  if (!strip_padding(text, form)) return fail(ErrorKind::malformed, "base64: the length or the padding is wrong");
  const auto value = [&](std::size_t at) { return std::uint32_t{values[byte_at(text, at)]}; };

  std::string bytes(text.size() * 3 / 4, '\0');
  const std::size_t whole = text.size() / 4 * 4;
  std::size_t out = 0;
  for (std::size_t at = 0; at < whole; at += 4, out += 3) {
    const std::uint32_t a = value(at), b = value(at + 1), c = value(at + 2), d = value(at + 3);
    if (((a | b | c | d) & no_digit) != 0) return invalid_digit(text, values);
    const std::uint32_t group = a << 18 | b << 12 | c << 6 | d;
    bytes[out] = static_cast<char>(group >> 16);
    bytes[out + 1] = static_cast<char>(group >> 8 & 255);
    bytes[out + 2] = static_cast<char>(group & 255);
  }
  if (whole == text.size()) return bytes;

  const bool three = text.size() - whole == 3;
  const std::uint32_t a = value(whole), b = value(whole + 1), c = three ? value(whole + 2) : 0;
  if (((a | b | c) & no_digit) != 0) return invalid_digit(text, values);
  if ((three ? c & 3 : b & 15) != 0) return fail(ErrorKind::malformed, "base64: the unused trailing bits must be zero");
  bytes[out] = static_cast<char>(a << 2 | b >> 4);
  if (three) bytes[out + 1] = static_cast<char>((b << 4 | c >> 2) & 255);
  return bytes;
}

}  // namespace fairlead
