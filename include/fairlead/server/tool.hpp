#pragma once

#include <fairlead/protocol/model/tools.hpp>
#include <fairlead/server/handler.hpp>
#include <fairlead/server/media.hpp>
#include <fairlead/server/page.hpp>
#include <fairlead/server/task_policy.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::server {

/// Description of a tool besides its name and types.
struct ToolOptions {
  std::string description = {};
  std::optional<std::string> title = {};
  std::optional<protocol::ToolAnnotations> annotations = {};
  std::optional<std::vector<protocol::Icon>> icons = {};
  std::optional<json::Payload> input_schema = {};   ///< Replaces the schema derived from the parameters.
  std::optional<json::Payload> output_schema = {};  ///< Replaces the schema derived from the return type.
  std::optional<json::Payload> meta = {};
  ToolUi ui = {};               ///< The page that shows the result, and who may call the tool.
  bool reject_unknown = false;  ///< Unknown arguments are an error.
  TaskPolicy task = {};         ///< By default, calls do not become tasks.
};

/// A registered tool.
struct ToolEntry {
  protocol::Tool definition;
  HandlerFunction<protocol::CallToolResult> handler;
  /// The schema of `{"result": …}`, for revisions in which structured content must be an object. Absent if the output
  /// schema describes an object or was written by hand.
  std::optional<json::Payload> wrapped_output = {};
  ToolUi ui = {};
  bool reject_unknown = false;
  bool checks_input = false;  ///< The input schema was written by hand: validate against it.
  bool checks_output = false;
  TaskPolicy task = {};
};

template <class T, class Variant>
inline constexpr bool is_alternative = false;
template <class T, class... U>
inline constexpr bool is_alternative<T, std::variant<U...>> = (std::is_same_v<T, U> || ...);

/// True for the types of one content block, except raw JSON.
template <class T>
inline constexpr bool is_content = (is_alternative<T, protocol::ContentBlock> && !std::is_same_v<T, json::Payload>) ||
                                   std::is_same_v<T, Image> || std::is_same_v<T, Audio>;

template <class T>
inline constexpr bool is_content_list = false;
template <class T>
inline constexpr bool is_content_list<std::vector<T>> = is_content<T> || std::is_same_v<T, protocol::ContentBlock>;

/// True for values that are returned as `structuredContent` with an `outputSchema`. False for a single number, string
/// or enumerator: its text content is complete, and most revisions allow only objects as structured content.
template <class T>
inline constexpr bool is_structured =
    !std::is_void_v<T> && !std::is_arithmetic_v<T> && !std::is_enum_v<T> &&
    !std::is_convertible_v<T, std::string_view> && !is_content<T> && !is_content_list<T> &&
    !std::is_same_v<T, protocol::ContentBlock> && !std::is_same_v<T, protocol::CallToolResult>;

protocol::CallToolResult text_result(std::string text);
protocol::CallToolResult structured_result(std::string json);

/// Converts a tool's return value to a result.
struct ToolResultConverter {
  using Output = protocol::CallToolResult;

  static Output convert() {
    Output result;
    result.isError = false;
    return result;
  }
  static Output convert(Output result) { return result; }

  template <class T>
  static Output convert(T&& value) {
    using Value = std::remove_cvref_t<T>;
    if constexpr (std::is_convertible_v<T, std::string_view>) {
      return text_result(std::string(std::forward<T>(value)));
    } else if constexpr (is_content<Value> || std::is_same_v<Value, protocol::ContentBlock>) {
      Output result = convert();
      result.content.emplace_back(std::forward<T>(value));
      return result;
    } else if constexpr (is_content_list<Value>) {
      Output result = convert();
      for (auto& block : value) result.content.emplace_back(std::move(block));
      return result;
    } else if constexpr (is_structured<Value>) {
      return structured_result(json::encode(value));
    } else if constexpr (std::is_enum_v<Value>) {
      return text_result(std::string(json::enum_name(value)));
    } else {
      return text_result(json::encode(value));
    }
  }
};

namespace detail {

template <class T>
void describe_result(json::SchemaText& schema) {
  json::Codec<T>::describe(schema);
}
// An empty optional is omitted as a member, but is null as the whole result.
template <class T>
  requires json::detail::may_be_absent<T>
void describe_result(json::SchemaText& schema) {
  json::ObjectWriter object(schema.text);
  object.plain_member("anyOf") += '[';
  schema.enter("anyOf");
  schema.enter("0");
  json::Codec<T>::describe(schema);
  schema.leave("0");
  schema.leave("anyOf");
  schema.text += R"(,{"type":"null"}])";
}

template <class T>
std::string result_schema() {
  json::SchemaText schema;
  schema.of_output = true;
  describe_result<T>(schema);
  return std::move(schema.text);
}

// Generated in place: the `$ref` of a recursive schema contains its path.
template <class T>
std::string wrapped_schema() {
  json::SchemaText schema;
  schema.of_output = true;
  schema.text = R"({"type":"object","properties":{"result":)";
  schema.enter("properties");
  schema.enter("result");
  describe_result<T>(schema);
  return std::move(schema.text) + R"(},"required":["result"]})";
}

bool describes_object(std::string_view schema);

}  // namespace detail

template <class F>
ToolEntry make_tool(ToolName name, ToolOptions options, F function) {
  using Sig = SignatureOf<F>;
  using Output = std::remove_cvref_t<UnwrappedReturn<typename Sig::Return>>;
  ToolEntry entry;
  entry.reject_unknown = options.reject_unknown;
  entry.task = options.task;
  auto& tool = entry.definition;
  tool.name = name.view();
  tool.title = std::move(options.title);
  if (!options.description.empty()) tool.description = std::move(options.description);
  tool.annotations = std::move(options.annotations);
  tool.icons = std::move(options.icons);
  tool._meta = with_tool_ui(std::move(options.meta), options.ui);
  entry.ui = std::move(options.ui);
  entry.checks_input = options.input_schema.has_value();
  entry.checks_output = options.output_schema.has_value();
  if (entry.checks_input) {
    tool.inputSchema = std::move(*options.input_schema);
  } else {
    tool.inputSchema = json::Payload::trusted(Parameters<typename Sig::Parameters>::schema(options.reject_unknown));
  }
  tool.outputSchema = std::move(options.output_schema);
  if constexpr (is_structured<Output> && !std::is_same_v<Output, json::Payload>) {
    if (!tool.outputSchema) {
      tool.outputSchema = json::Payload::trusted(detail::result_schema<Output>());
      if (!detail::describes_object(tool.outputSchema->text())) {
        entry.wrapped_output = json::Payload::trusted(detail::wrapped_schema<Output>());
      }
    }
  }
  entry.handler = make_handler<ToolResultConverter>(std::move(function));
  return entry;
}

}  // namespace fairlead::server
