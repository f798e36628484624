#include "cli/explained.hpp"

#include <boost/json.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/protocol/error_codes.hpp>
#include <fmt/format.h>

#include "cli/show.hpp"

namespace fairlead::cli {
namespace {

// What a server says besides its message is often the reason; more than a few lines of it help nobody.
std::string details(const std::string& data) {
  constexpr std::size_t most = 1000;
  if (data.empty()) return "";
  const auto payload = json::Payload::trusted(data);
  const auto* object = payload.value().if_object();
  const auto& said = object != nullptr && object->size() == 1 ? object->begin()->value() : payload.value();
  const auto text = said.is_string() ? std::string(said.get_string()) : data;
  return " (" + text.substr(0, most) + ")";
}

// Commands offer everything that an option of theirs can answer, so that none of these helps.
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
  return "the server needs a client with the capability " + for_terminal(names) + ", which this command does not have";
}

}  // namespace

bool is_from_gateway(const Error& error) {
  return error.kind == ErrorKind::refused && json::member_of(error.data, "source") == R"("gateway")";
}

std::string explained(const Error& error) {
  if (error.kind == ErrorKind::timeout) return for_terminal(error.message) + "; --timeout gives the server longer";
  if (const auto missing = missing_capability(error); !missing.empty()) return missing;
  // Its message says all that its data does.
  if (is_from_gateway(error)) return for_terminal(error.message);
  // A positive code is the status of an answer without an error of its own.
  if (error.kind == ErrorKind::refused && error.code < 0) {
    return fmt::format("the server answered with error {}: {}{}", error.code, for_terminal(error.message),
                       for_terminal(details(error.data)));
  }
  return for_terminal(error.message);
}

}  // namespace fairlead::cli
