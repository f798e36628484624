#pragma once

#include <fairlead/protocol/revision.hpp>
#include <string>

namespace fairlead::load {

/// What is called, over and over.
struct Call {
  std::string tool = "echo";
  /// A JSON object. `{id}` in it becomes the number of the call, `{lane}` that of the connection.
  std::string arguments = R"({"text":"{lane}-{id}"})";
  /// Answers must hold the text that the default arguments send.
  bool echoes = true;
  /// Ask for progress notifications.
  bool progress = false;
};

/// The number of a connection as it stands in arguments.
std::string lane_text(unsigned lane);

// Messages of a client, without what a wire puts around them.
std::string initialize_message(const protocol::Revision& revision);
std::string initialized_message();
/// The pattern of a RequestText.
std::string call_message(const Call& call, const protocol::Revision& revision, unsigned lane);

}  // namespace fairlead::load
