#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "gateway/record/recording.hpp"

namespace fairlead::gateway {

/// A recording, by what belongs together. Lines are known by their index.
class Script {
 public:
  explicit Script(Recording recording);

  const Recording& recording() const { return recording_; }
  const RecordLine& line(std::size_t index) const { return recording_.lines[index]; }

  /// The calls of a conversation, in order; conversations in the order of their first lines.
  struct Conversation {
    std::uint64_t key = 0;
    std::vector<std::size_t> calls = {};
  };
  const std::vector<Conversation>& conversations() const { return conversations_; }

  /// What happens during a call: notices, questions, their answers, the reply.
  const std::vector<std::size_t>& during(std::size_t call) const;
  /// What the server asks and tells of its own accord when this line is done.
  const std::vector<std::size_t>& after(std::size_t index) const;
  std::optional<std::size_t> answer_to(std::size_t ask) const;

  /// The arguments of a tool that travel as headers too, as the lists in the recording say.
  std::vector<protocol::HeaderParam> header_params(std::string_view tool) const;

 private:
  void add(std::size_t index);
  void learn_tools(const json::Payload& listed);

  Recording recording_;
  std::vector<Conversation> conversations_;
  std::map<std::size_t, std::vector<std::size_t>> during_, after_;
  std::map<std::size_t, std::size_t> answers_;
  std::map<std::string, std::vector<protocol::HeaderParam>, std::less<>> headers_;
};

}  // namespace fairlead::gateway
