#include "gateway/observe/span.hpp"

#include <fairlead/base/redactor.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/revision.hpp>

namespace fairlead::gateway {
namespace {

// String ids without their JSON quotes.
std::string request_id_text(const jsonrpc::Id& id) {
  auto text = id.to_json();
  const bool quoted = text.size() >= 2 && text.front() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// Tool and prompt names are few enough for span names; URIs of resources are not, and may be secret.
void describe_subject(Span& span, const CallRecord& record, const Redactor& redactor) {
  span.name = record.method;
  if (record.target.empty()) return;
  const auto name_it = [&](std::string_view attribute) {
    span.name += " " + record.target;
    span.attributes.emplace_back(attribute, record.target);
  };
  if (record.method == protocol::CallTool::method) {
    span.attributes.emplace_back("gen_ai.operation.name", "execute_tool");
    name_it("gen_ai.tool.name");
  } else if (record.method == protocol::GetPrompt::method) {
    name_it("gen_ai.prompt.name");
  } else if (record.method.starts_with("resources/")) {
    span.attributes.emplace_back("mcp.resource.uri", redactor.redact(record.target));
  }
}

// The `error.type` of a failed call.
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

void fill_span(Span& span, const CallRecord& record, const session::Call& call, const Redactor& redactor) {
  span.hop = record.hop;
  span.attributes.emplace_back("mcp.method.name", record.method);
  describe_subject(span, record, redactor);
  if (!record.server.empty()) span.attributes.emplace_back("mcp.server.name", record.server);
  if (record.revision) span.attributes.emplace_back("mcp.protocol.version", std::string(record.revision->name));
  if (record.hop == Hop::front && call.context.id) {
    span.attributes.emplace_back("jsonrpc.request.id", request_id_text(*call.context.id));
  }
  const auto& outcome = record.outcome;
  if (outcome.code != 0) span.attributes.emplace_back("rpc.response.status_code", std::to_string(outcome.code));
  span.failed = outcome.failed();
  if (!span.failed) return;
  span.attributes.emplace_back("error.type", error_type(outcome));
  span.message = outcome.message;
}

}  // namespace fairlead::gateway
