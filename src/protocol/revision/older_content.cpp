#include "protocol/revision/older_content.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <functional>

namespace fairlead::protocol {
namespace {

using json::Kind;
using json::ObjectEdit;
using json::Reader;

Kind kind_of(std::string_view json) {
  return Reader(json).kind();
}

// The block as it is if the revision knows its type, else as text that tells what it was.
std::string older_block(std::string_view block, const Revision& revision) {
  const ObjectEdit members(block);
  const auto type = json::decode<std::string>(members.get("type").empty() ? R"("")" : members.get("type"));
  if (!type || revision.content_types.contains(*type)) return std::string(block);
  std::string text = "[" + *type + "]";
  for (const auto name : {"title", "name", "uri", "mimeType"}) {
    if (members.get(name).empty()) continue;
    if (const auto value = json::decode<std::string>(members.get(name))) text += " " + *value;
  }
  return json::encode(TextContent{.text = std::move(text)});
}

// Applies `change` to each element of the array under `name`.
void for_each_element(ObjectEdit& object, std::string_view name,
                      const std::function<std::string(std::string_view)>& change) {
  const auto array = object.get(name);
  if (array.empty() || kind_of(array) != Kind::array) return;
  std::string out = "[";
  bool changed = false;
  Reader reader(array);
  reader.open();
  while (reader.more()) {
    const auto element = reader.skip();
    auto older = change(element);
    changed = changed || older != element;
    if (out.size() > 1) out += ',';
    out += older;
  }
  if (changed) object.set(name, out + "]");
}

bool fits(std::string_view structured, StructuredContent allowed) {
  return allowed == StructuredContent::any ||
         (allowed == StructuredContent::object && kind_of(structured) == Kind::object);
}

// Before output schemas could be anything, their root was an object.
std::string older_tool(std::string_view tool, const Revision& revision) {
  ObjectEdit members(tool);
  const auto schema = members.get("outputSchema");
  if (schema.empty() || revision.structured_content == StructuredContent::any) return std::string(tool);
  const bool object = ObjectEdit(schema).get("type") == R"("object")";
  if (object && revision.structured_content == StructuredContent::object) return std::string(tool);
  return members.erase("outputSchema").text();
}

}  // namespace

void make_older(ObjectEdit& result, std::string_view method, const Revision& revision) {
  const auto older = [&](std::string_view block) { return older_block(block, revision); };
  if (method == CallTool::method) {
    const auto structured = result.get("structuredContent");
    if (!structured.empty() && !fits(structured, revision.structured_content)) result.erase("structuredContent");
    for_each_element(result, "content", older);
  } else if (method == ListTools::method) {
    for_each_element(result, "tools", [&](std::string_view tool) { return older_tool(tool, revision); });
  } else if (method == GetPrompt::method) {
    for_each_element(result, "messages", [&](std::string_view message) {
      ObjectEdit members(message);
      auto content = older(members.get("content"));
      return content == members.get("content") ? std::string(message)
                                               : members.set("content", std::move(content)).text();
    });
  }
}

}  // namespace fairlead::protocol
