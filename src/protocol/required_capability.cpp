#include "protocol/required_capability.hpp"

#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <utility>

namespace fairlead::protocol {

bool supports_form_elicitation(const ClientCapabilities& capabilities) {
  const auto& elicitation = capabilities.elicitation;
  return elicitation && (elicitation->form || !elicitation->url);
}

bool supports_url_elicitation(const ClientCapabilities& capabilities) {
  return capabilities.elicitation && capabilities.elicitation->url;
}

std::optional<std::string> undeclared_capability(std::string_view method, const json::Payload& params,
                                                 const ClientCapabilities& declared) {
  if (method == Elicit::method) {
    if (json::member_of(params.text(), "mode") == R"("url")") {
      return supports_url_elicitation(declared) ? std::nullopt
                                                : std::optional<std::string>(R"({"elicitation":{"url":{}}})");
    }
    return supports_form_elicitation(declared) ? std::nullopt : std::optional<std::string>(R"({"elicitation":{}})");
  }
  if (method == CreateMessage::method) {
    if (!declared.sampling) return R"({"sampling":{}})";
    const bool with_tools = !json::member_of(params.text(), "tools").empty();
    if (with_tools && !declared.sampling->tools) return R"({"sampling":{"tools":{}}})";
    return std::nullopt;
  }
  if (method == ListRoots::method && !declared.roots) return R"({"roots":{}})";
  return std::nullopt;
}

Error undeclared_extension(std::string_view id) {
  std::string settings, capability, data;
  json::ObjectWriter(settings).raw(id, "{}");
  json::ObjectWriter(capability).raw("extensions", settings);
  json::ObjectWriter(data).raw("requiredCapabilities", capability);
  return protocol_error(ProtocolError::missing_capability, "declare the extension in clientCapabilities.extensions",
                        std::string(id), std::move(data));
}

Error undeclared_error(const std::string& method, const std::string& capability) {
  Error error{.kind = ErrorKind::refused,
              .message = method + " was not sent to the client, which did not declare the capability " + capability,
              .code = jsonrpc::code::method_not_found};
  json::ObjectWriter(error.data).raw("requiredCapabilities", capability);
  return error;
}

}  // namespace fairlead::protocol
