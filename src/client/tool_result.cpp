#include <fairlead/client/tool_result.hpp>

#include <fairlead/client/arguments.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <utility>

namespace fairlead::client {

Arguments::Arguments(std::initializer_list<Argument> arguments) {
  std::string text;
  {
    json::ObjectWriter object(text);
    for (const auto& argument : arguments) object.member(argument.name) += argument.json;
  }
  payload_ = json::Payload::trusted(std::move(text));
}

std::string text_of(const protocol::CallToolResult& result) {
  std::string all;
  bool first = true;
  for (const auto& block : result.content) {
    const auto* text = std::get_if<protocol::TextContent>(&block);
    if (!text) continue;
    if (!std::exchange(first, false)) all += '\n';
    all += text->text;
  }
  return all;
}

Result<protocol::CallToolResult> require_success(protocol::CallToolResult result, const std::string& tool) {
  if (!result.isError.value_or(false)) return result;
  return std::unexpected(protocol::protocol_error(protocol::ProtocolError::tool_failed, text_of(result), tool));
}

namespace detail {

std::string value_text(const protocol::CallToolResult& result, bool as_object) {
  if (!result.structuredContent) return text_of(result);
  const auto whole = result.structuredContent->text();
  const json::ObjectEdit object(whole);
  const auto wrapped = object.get("result");
  return std::string(!as_object && !wrapped.empty() ? wrapped : whole);
}

Error wrong_type(const Error& why, const std::string& text) {
  constexpr std::size_t max_shown = 200;
  return {.kind = ErrorKind::malformed,
          .message = "the tool's result does not have the requested type: " + why.message + ", in " +
                     text.substr(0, max_shown)};
}

}  // namespace detail
}  // namespace fairlead::client
