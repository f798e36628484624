#include <fairlead/protocol/header_params.hpp>

#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <fairlead/protocol/header_value.hpp>
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "protocol/header_mismatch.hpp"

namespace fairlead::protocol {
namespace {

/// Beyond this value doubles are not exact, so readers would disagree.
constexpr std::int64_t max_integer = (std::int64_t{1} << 53) - 1;

std::string argument_path(const HeaderParam& param) {
  return fmt::format("arguments.{}", fmt::join(param.path, "."));
}

/// The argument, or null if it is absent or JSON null.
const boost::json::value* find_argument(const HeaderParam& param, const boost::json::value& arguments) {
  const boost::json::value* value = &arguments;
  for (const auto& name : param.path) {
    const auto* object = value->if_object();
    value = object == nullptr ? nullptr : object->if_contains(name);
    if (value == nullptr) return nullptr;
  }
  return value->is_null() ? nullptr : value;
}

std::optional<std::int64_t> in_safe_range(std::int64_t number) {
  return number >= -max_integer && number <= max_integer ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> integer_of(const boost::json::value& value) {
  if (const auto* number = value.if_int64()) return in_safe_range(*number);
  const auto* number = value.if_double();
  if (number == nullptr || std::trunc(*number) != *number || std::abs(*number) > max_integer) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

/// Parses a decimal integer, optionally with a fraction of zeros.
std::optional<std::int64_t> integer_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const bool zeros = rest.size() > 1 && rest[0] == '.' && rest.find_first_not_of('0', 1) == std::string_view::npos;
  return rest.empty() || zeros ? in_safe_range(number) : std::nullopt;
}

/// The header's text for a value, before encoding; nothing if a header cannot represent it.
std::optional<std::string> header_text(const boost::json::value& value) {
  if (const auto* text = value.if_string()) return std::string(std::string_view(*text));
  if (const auto* flag = value.if_bool()) return *flag ? "true" : "false";
  const auto number = integer_of(value);
  return number ? std::optional(std::to_string(*number)) : std::nullopt;
}

/// Compares by the type of the value; whether that matches the schema is checked elsewhere.
bool matches(std::string_view text, const boost::json::value& value) {
  if (value.is_number()) {
    const auto number = integer_of(value);
    return number && integer_of(text) == number;
  }
  return header_text(value) == text;
}

Result<void> check(const HeaderParam& param, std::span<const HeaderView> headers, const boost::json::value* value) {
  const auto sent = find_header(headers, param.header);
  if (!sent) return std::unexpected(sent.error());
  if (!*sent && value == nullptr) return {};
  if (!*sent)
    return header_mismatch_error(
        fmt::format("header {} is missing: send the value of {}", param.header, argument_path(param)));
  if (value == nullptr)
    return header_mismatch_error(fmt::format("header {} is sent without {}", param.header, argument_path(param)));
  const auto text = decode_header_value(**sent);
  if (!text) return header_mismatch_error(fmt::format("header {}: {}", param.header, text.error().message));
  if (matches(*text, *value)) return {};
  return header_mismatch_error(
      fmt::format("header {} differs from {} of the body", param.header, argument_path(param)));
}

}  // namespace

Result<std::vector<Header>> param_headers(std::span<const HeaderParam> params, const boost::json::value& arguments) {
  std::vector<Header> headers;
  for (const HeaderParam& param : params) {
    const boost::json::value* value = find_argument(param, arguments);
    if (value == nullptr) continue;
    const auto text = header_text(*value);
    if (!text) {
      return fail(ErrorKind::invalid,
                  fmt::format("{} must be a string, a boolean or an integer up to 2^53-1: it is sent as header {}",
                              argument_path(param), param.header));
    }
    headers.push_back({.name = param.header, .value = encode_header_value(*text)});
  }
  return headers;
}

Result<void> check_param_headers(std::span<const HeaderParam> params, std::span<const HeaderView> headers,
                                 const boost::json::value& arguments) {
  for (const HeaderParam& param : params) {
    if (auto checked = check(param, headers, find_argument(param, arguments)); !checked) return checked;
  }
  return {};
}

}  // namespace fairlead::protocol
