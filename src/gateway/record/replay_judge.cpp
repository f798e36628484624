#include "gateway/record/replay_judge.hpp"

#include <fmt/format.h>

namespace fairlead::gateway {
namespace {

using session::Reply;

json::Payload error_as_payload(const Error& error) {
  RecordedError line{.kind = error.kind, .code = error.code, .message = error.message};
  if (!error.data.empty()) line.data = json::Payload::trusted(error.data);
  return json::to_payload(line);
}

}  // namespace

ReplayJudge::ReplayJudge(const Recording& recording, std::vector<std::string> ignore, bool lenient)
    : recording_(recording), likeness_(std::move(ignore)), lenient_(lenient) {
  for (std::size_t index = 0; index < recording.lines.size(); ++index) {
    const auto& line = recording.lines[index];
    if (line.kind == LineKind::call) calls_[*line.call] = index;
  }
}

void ReplayJudge::compare(std::size_t index, const json::Payload& recorded, const json::Payload& now, bool is_list) {
  const auto hidden = is_list || now.empty() ? now : json::Payload::trusted(likeness_.hidden(now.text()));
  for (const auto& each : likeness_.differences(recorded, hidden)) differ(index, each);
}

void ReplayJudge::compare(std::size_t index, const Result<Reply>& recorded, const Result<Reply>& now, bool is_list) {
  if (recorded && now) {
    compare(index, recorded->body, now->body, is_list);
    if (recorded->kind != now->kind || recorded->other_kind != now->other_kind) differ(index, "another resultType");
  } else if (!recorded && !now) {
    compare(index, error_as_payload(recorded.error()), error_as_payload(now.error()), false);
  } else if (now) {
    differ(index, fmt::format("a result instead of the error '{}'", recorded.error().message));
  } else {
    differ(index, fmt::format("the error '{}' instead of a result", likeness_.hidden(now.error().message)));
  }
}

void ReplayJudge::differ(std::size_t index, const std::string& what) {
  const auto& line = recording_.lines[index];
  const bool is_reply = line.kind == LineKind::reply;
  const auto& about = is_reply ? recording_.lines[calls_.at(*line.call)] : line;
  differences_.push_back(
      fmt::format("{}: {}{}: {}", recording_.place(index), is_reply ? "the reply to " : "", shown(about), what));
}

void ReplayJudge::leftovers(const Ear& ear, std::optional<std::size_t> call) {
  if (lenient_) return;
  const auto where = call ? recording_.place(*call) + ": " + shown(recording_.lines[*call]) : recording_.path;
  for (const auto& each : ear.heard) {
    // A server that has just been started tells this when it knows its own lists.
    if (!call && each.method.ends_with("/list_changed")) continue;
    const auto params = each.params.empty() ? "{}" : likeness_.hidden(each.params.text());
    differences_.push_back(fmt::format("{}: {} came, and did not then: {}", where, each.method, params));
  }
}

}  // namespace fairlead::gateway
