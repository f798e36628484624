#pragma once

#include <fairlead/protocol/revision.hpp>
#include <string>

namespace fairlead::load {

/// The tool call that a run repeats.
struct LoadCall {
  std::string tool = "echo";
  /// A JSON object. `{id}` is replaced by the call id, `{connection}` by the number of the connection.
  std::string arguments = R"({"text":"{connection}-{id}"})";
  /// Results must contain the text of the default arguments.
  bool echoes = true;
  /// Request progress notifications.
  bool progress = false;
};

/// The number of a connection as it appears in arguments.
std::string connection_text(unsigned connection);

// JSON-RPC messages without framing.
std::string initialize_message(const protocol::Revision& revision);
std::string initialized_message();
/// A pattern for RequestText.
std::string call_message(const LoadCall& call, const protocol::Revision& revision, unsigned connection);

}  // namespace fairlead::load
