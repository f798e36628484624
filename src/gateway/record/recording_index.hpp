#pragma once

#include <cstdint>
#include <map>

#include "gateway/record/recording.hpp"

namespace fairlead::gateway {

/// Index of a recording. Lines are identified by their index.
class RecordingIndex {
 public:
  explicit RecordingIndex(Recording recording);

  const Recording& recording() const { return recording_; }
  const RecordLine& line(std::size_t index) const { return recording_.lines[index]; }

  /// Calls of a session in order; sessions in the order of their first lines.
  struct RecordedSession {
    std::uint64_t key = 0;
    std::vector<std::size_t> calls = {};
  };
  const std::vector<RecordedSession>& active_sessions() const { return sessions_; }

  /// Lines during a call: notifications, server calls, their replies, the reply.
  const std::vector<std::size_t>& during(std::size_t call) const;
  /// Calls and notifications of the server that follow this line outside of any call.
  const std::vector<std::size_t>& after(std::size_t index) const;
  std::optional<std::size_t> answer_to(std::size_t server_call_line) const;

  /// Tool arguments that are also sent as headers, according to the recorded lists.
  std::vector<protocol::HeaderParam> header_params(std::string_view tool) const;

 private:
  void add(std::size_t index);
  void learn_tools(const json::Payload& listed);

  Recording recording_;
  std::vector<RecordedSession> sessions_;
  std::map<std::size_t, std::vector<std::size_t>> during_, after_;
  std::map<std::size_t, std::size_t> answers_;
  std::map<std::string, std::vector<protocol::HeaderParam>, std::less<>> headers_;
};

}  // namespace fairlead::gateway
