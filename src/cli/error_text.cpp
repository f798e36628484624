#include "cli/error_text.hpp"

#include <boost/json.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/protocol/error_codes.hpp>
#include <fmt/format.h>

#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

// The error's data often has the reason. Limited to 1000 characters.
std::string details(const std::string& data) {
  constexpr std::size_t most = 1000;
  if (data.empty()) return "";
  const auto payload = json::Payload::trusted(data);
  const auto* object = payload.value().if_object();
  const auto& reason = object != nullptr && object->size() == 1 ? object->begin()->value() : payload.value();
  const auto text = reason.is_string() ? std::string(reason.get_string()) : data;
  return " (" + text.substr(0, most) + ")";
}

// The commands declare every capability that they can have, so that no option helps here.
std::string missing_capability(const Error& error) {
  if (error.code != protocol::code::missing_capability) return "";
  const auto required = json::member_of(error.data, "requiredCapabilities");
  if (!required.starts_with('{')) return "";
  const auto payload = json::Payload::trusted(std::string(required));
  std::string names;
  for (const auto& [name, value] : payload.value().as_object()) {
    const auto* parts = value.if_object();
    if (!parts || parts->empty()) names += (names.empty() ? "" : ", ") + std::string(name);
    if (!parts) continue;
    for (const auto& part : *parts) names += fmt::format("{}{}.{}", names.empty() ? "" : ", ", name, part.key());
  }
  if (names.empty()) return "";
  return "the server needs a client with the capability " + escape_for_terminal(names) +
         ", which this command does not have";
}

}  // namespace

bool is_gateway_error(const Error& error) {
  return error.kind == ErrorKind::refused && json::member_of(error.data, "source") == R"("gateway")";
}

std::string error_text(const Error& error) {
  if (error.kind == ErrorKind::timeout) return escape_for_terminal(error.message) + "; increase it with --timeout";
  if (const auto missing = missing_capability(error); !missing.empty()) return missing;
  // The message of a gateway error repeats its data.
  if (is_gateway_error(error)) return escape_for_terminal(error.message);
  // A positive code is an HTTP status without a JSON-RPC error.
  if (error.kind == ErrorKind::refused && error.code < 0) {
    return fmt::format("the server answered with error {}: {}{}", error.code, escape_for_terminal(error.message),
                       escape_for_terminal(details(error.data)));
  }
  return escape_for_terminal(error.message);
}

}  // namespace fairlead::cli
