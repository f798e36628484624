#pragma once

#include <fairlead/jsonrpc/message.hpp>

/// Protocol of servers that only support tool calls.
namespace fairlead::transport {

/// Answers other requests than tool calls locally, so that clients need not distinguish these servers; nothing for a
/// tool call.
std::optional<jsonrpc::Message> answer_for_tool_server(const jsonrpc::Request& request, const std::string& peer);

/// The call with only the members that the closed schema allows.
jsonrpc::Request minimal_call(const jsonrpc::Request& call);

/// The call as a frame `{id, name, arguments}`.
std::string call_frame(const jsonrpc::Request& call);

/// Assembles a result from its fragments.
class ToolResultAssembler {
 public:
  /// False if it is not a fragment of a result.
  bool add(std::string_view fragment);
  /// The response to `id`; nothing without fragments.
  std::optional<std::string> response(const jsonrpc::Id& id) const;

 private:
  std::vector<std::string> content_;  // Content blocks as JSON.
  std::string rest_ = "{}";           // Other members; the latest value wins.
  bool any_ = false;
};

}  // namespace fairlead::transport
