#include "protocol/revision/content_downgrade.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace fairlead::protocol {
namespace {

using json::Kind;
using json::ObjectEdit;
using json::Reader;

Kind kind_of(std::string_view json) {
  return Reader(json).kind();
}

/// The JSON in a form that an older revision knows; nothing if no change is needed.
using Downgraded = std::optional<std::string>;

/// The type of a block if the revision does not define it.
Downgraded unknown_type(std::string_view block, const Revision& revision) {
  const auto written = json::member_of(block, "type");
  if (written.empty()) return "";
  if (kind_of(written) != Kind::string) return std::nullopt;
  std::string scratch;
  const auto type = Reader(written).text(scratch);
  if (revision.content_types.contains(type)) return std::nullopt;
  return std::string(type);
}

bool is_known_block(Reader& block, const Revision& revision) {
  if (block.kind() != Kind::object) return false;
  bool known = false;
  for (block.open(); block.more();) {
    if (block.key() != "type") {
      block.skip();
      continue;
    }
    std::string scratch;
    if (block.kind() != Kind::string || !revision.content_types.contains(block.text(scratch))) return false;
    known = true;
  }
  return known;
}

// Replaces a block of an unknown type by text with its type, title, name, URI and MIME type.
Downgraded downgraded_block(std::string_view block, const Revision& revision) {
  const auto type = unknown_type(block, revision);
  if (!type) return std::nullopt;
  const ObjectEdit members(block);
  std::string text = "[" + *type + "]";
  for (const auto name : {"title", "name", "uri", "mimeType"}) {
    if (members.get(name).empty()) continue;
    if (const auto value = json::decode<std::string>(members.get(name))) text += " " + *value;
  }
  return json::encode(TextContent{.text = std::move(text)});
}

// Applies `change` to each element of the array member `name`.
void for_each_element(ObjectEdit& object, std::string_view name,
                      const std::function<Downgraded(std::string_view)>& change) {
  const auto array = object.get(name);
  if (array.empty() || kind_of(array) != Kind::array) return;
  std::vector<std::pair<std::string_view, std::string>> changes;
  Reader reader(array);
  for (reader.open(); reader.more();) {
    const auto element = reader.skip();
    if (auto downgraded = change(element)) changes.emplace_back(element, std::move(*downgraded));
  }
  if (changes.empty()) return;
  std::string out;
  const char* at = array.data();
  for (const auto& [element, downgraded] : changes) {
    out.append(at, element.data()) += downgraded;
    at = element.data() + element.size();
  }
  object.set(name, out.append(at, array.data() + array.size()));
}

bool fits(std::string_view structured, StructuredContent allowed) {
  return allowed == StructuredContent::any ||
         (allowed == StructuredContent::object && kind_of(structured) == Kind::object);
}

// In older revisions the root of an output schema must be an object.
Downgraded downgraded_tool(std::string_view tool, const Revision& revision) {
  ObjectEdit members(tool);
  const auto schema = members.get("outputSchema");
  if (schema.empty() || revision.structured_content == StructuredContent::any) return std::nullopt;
  const bool object = json::member_of(schema, "type") == R"("object")";
  if (object && revision.structured_content == StructuredContent::object) return std::nullopt;
  return members.erase("outputSchema").text();
}

}  // namespace

void downgrade_content(ObjectEdit& result, std::string_view method, const Revision& revision) {
  const auto downgraded = [&](std::string_view block) { return downgraded_block(block, revision); };
  if (method == CallTool::method) {
    const auto structured = result.get("structuredContent");
    if (!structured.empty() && !fits(structured, revision.structured_content)) result.erase("structuredContent");
    for_each_element(result, "content", downgraded);
  } else if (method == ListTools::method) {
    for_each_element(result, "tools", [&](std::string_view tool) { return downgraded_tool(tool, revision); });
  } else if (method == GetPrompt::method) {
    for_each_element(result, "messages", [&](std::string_view message) -> Downgraded {
      ObjectEdit members(message);
      auto content = downgraded(members.get("content"));
      if (!content) return std::nullopt;
      return members.set("content", std::move(*content)).text();
    });
  }
}

bool needs_no_downgrade(std::string_view member, Reader& value, std::string_view method, const Revision& revision) {
  if (method == ListTools::method || method == GetPrompt::method) return false;
  const bool called = method == CallTool::method;
  if (called && member == "structuredContent") return fits(value.skip(), revision.structured_content);
  if (!called || member != "content" || value.kind() != Kind::array) {
    value.skip();
    return true;
  }
  for (value.open(); value.more();) {
    if (!is_known_block(value, revision)) return false;
  }
  return true;
}

}  // namespace fairlead::protocol
