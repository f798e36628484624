#include "server/capability.hpp"

#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>

namespace fairlead::server {

bool has_form(const protocol::ClientCapabilities& capabilities) {
  const auto& elicitation = capabilities.elicitation;
  return elicitation && (elicitation->form || !elicitation->url);
}

bool has_url(const protocol::ClientCapabilities& capabilities) {
  return capabilities.elicitation && capabilities.elicitation->url;
}

std::optional<std::string> lacking(const Question& question, const protocol::ClientCapabilities& capabilities) {
  const json::ObjectEdit params(question.params.text());
  if (question.method == protocol::Elicit::method) {
    if (params.get("mode") == R"("url")") {
      return has_url(capabilities) ? std::nullopt : std::optional<std::string>(R"({"elicitation":{"url":{}}})");
    }
    return has_form(capabilities) ? std::nullopt : std::optional<std::string>(R"({"elicitation":{}})");
  }
  if (question.method == protocol::CreateMessage::method) {
    if (!capabilities.sampling) return R"({"sampling":{}})";
    const bool with_tools = !params.get("tools").empty();
    if (with_tools && !capabilities.sampling->tools) return R"({"sampling":{"tools":{}}})";
    return std::nullopt;
  }
  if (question.method == protocol::ListRoots::method && !capabilities.roots) return R"({"roots":{}})";
  return std::nullopt;
}

}  // namespace fairlead::server
