#include "gateway/record/recording_index.hpp"

#include <algorithm>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

namespace fairlead::gateway {
namespace {

struct RecordedTool {
  std::string name = {};
  json::Payload inputSchema = {};  // NOLINT(readability-identifier-naming)
};

struct RecordedTools {
  std::vector<RecordedTool> tools = {};
};

const std::vector<std::size_t>& found_in(const std::map<std::size_t, std::vector<std::size_t>>& all, std::size_t key) {
  static const std::vector<std::size_t> none;
  const auto found = all.find(key);
  return found == all.end() ? none : found->second;
}

}  // namespace

RecordingIndex::RecordingIndex(Recording recording) : recording_(std::move(recording)) {
  using enum LineKind;
  std::map<std::uint64_t, std::size_t> calls, server_calls;
  std::vector<std::size_t> too_early;
  std::optional<std::size_t> last;
  for (std::size_t index = 0; index < recording_.lines.size(); ++index) {
    const auto& line = recording_.lines[index];
    if (line.kind == call) calls[*line.call] = index;
    if (line.kind == server_call) server_calls[*line.server_call] = index;
    if (line.kind == server_reply) answers_[server_calls.at(*line.server_call)] = index;
    const bool is_unasked = !line.call && (line.kind == server_call || line.kind == server_notification);
    const bool is_of_call = line.call && line.kind != call;
    if (is_of_call) during_[calls[*line.call]].push_back(index);
    if (is_unasked && last) after_[*last].push_back(index);
    if (is_unasked && !last) too_early.push_back(index);
    if (line.kind == call || line.kind == reply || line.kind == notification || line.kind == server_reply) {
      // Messages before the first call are sent with it.
      if (!last) after_[index] = std::exchange(too_early, {});
      last = index;
    }
    const bool lists_tools = line.kind == reply && line.result &&
                             recording_.lines[calls.at(*line.call)].method == protocol::ListTools::method;
    if (lists_tools) learn_tools(*line.result);
    add(index);
  }
}

void RecordingIndex::learn_tools(const json::Payload& listed) {
  const auto tools = json::decode<RecordedTools>(listed);
  if (!tools) return;
  for (const auto& tool : tools->tools) {
    auto params = protocol::collect_header_params(tool.inputSchema.text());
    if (params && !params->empty()) headers_[tool.name] = std::move(*params);
  }
}

std::vector<protocol::HeaderParam> RecordingIndex::header_params(std::string_view tool) const {
  const auto found = headers_.find(tool);
  return found == headers_.end() ? std::vector<protocol::HeaderParam>() : found->second;
}

void RecordingIndex::add(std::size_t index) {
  const auto& line = recording_.lines[index];
  auto found = std::ranges::find(sessions_, line.session, &RecordedSession::key);
  if (found == sessions_.end()) found = sessions_.insert(found, RecordedSession{.key = line.session});
  if (line.kind == LineKind::call) found->calls.push_back(index);
}

const std::vector<std::size_t>& RecordingIndex::during(std::size_t call) const {
  return found_in(during_, call);
}

const std::vector<std::size_t>& RecordingIndex::after(std::size_t index) const {
  return found_in(after_, index);
}

std::optional<std::size_t> RecordingIndex::answer_to(std::size_t server_call_line) const {
  const auto found = answers_.find(server_call_line);
  return found == answers_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace fairlead::gateway
