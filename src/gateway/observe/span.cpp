#include "gateway/observe/span.hpp"

#include <fairlead/base/redactor.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/revision.hpp>

namespace fairlead::gateway {
namespace {

// An id that is a text stands for itself, without the quotes that it has in JSON.
std::string request_id_text(const jsonrpc::Id& id) {
  auto text = id.to_json();
  const bool quoted = text.size() >= 2 && text.front() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// Names of tools and prompts are few, so they may be part of a span's name; those of resources may be secrets even.
void describe_subject(Span& span, const Sight& sight, const Redactor& redactor) {
  span.name = sight.method;
  if (sight.about.empty()) return;
  const auto name_it = [&](std::string_view attribute) {
    span.name += " " + sight.about;
    span.attributes.emplace_back(attribute, sight.about);
  };
  if (sight.method == protocol::CallTool::method) {
    span.attributes.emplace_back("gen_ai.operation.name", "execute_tool");
    name_it("gen_ai.tool.name");
  } else if (sight.method == protocol::GetPrompt::method) {
    name_it("gen_ai.prompt.name");
  } else if (sight.method.starts_with("resources/")) {
    span.attributes.emplace_back("mcp.resource.uri", redactor.redact(sight.about));
  }
}

// One class of errors for each way to fail.
std::string error_type(const Outcome& outcome) {
  switch (outcome.plane()) {
    case Plane::caller:
    case Plane::transport: return std::string(outcome.transport);
    case Plane::protocol: return std::to_string(outcome.code);
    case Plane::tool: return "tool_error";
    case Plane::none: break;
  }
  return {};
}

}  // namespace

void describe_hop(Span& span, const Sight& sight, const session::Call& call, const Redactor& redactor) {
  span.hop = sight.hop;
  span.attributes.emplace_back("mcp.method.name", sight.method);
  describe_subject(span, sight, redactor);
  if (!sight.server.empty()) span.attributes.emplace_back("mcp.server.name", sight.server);
  if (sight.revision) span.attributes.emplace_back("mcp.protocol.version", std::string(sight.revision->name));
  if (sight.hop == Hop::front && call.context.id) {
    span.attributes.emplace_back("jsonrpc.request.id", request_id_text(*call.context.id));
  }
  const auto& outcome = sight.outcome;
  if (outcome.code != 0) span.attributes.emplace_back("rpc.response.status_code", std::to_string(outcome.code));
  span.failed = outcome.failed();
  if (!span.failed) return;
  span.attributes.emplace_back("error.type", error_type(outcome));
  span.message = outcome.message;
}

}  // namespace fairlead::gateway
