#include "gateway/record/replay_verifier.hpp"

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

ReplayVerifier::ReplayVerifier(const Recording& recording, std::vector<std::string> ignore, bool lenient)
    : recording_(recording), diff_(std::move(ignore)), lenient_(lenient) {
  for (std::size_t index = 0; index < recording.lines.size(); ++index) {
    const auto& line = recording.lines[index];
    if (line.kind == LineKind::call) calls_[*line.call] = index;
  }
}

void ReplayVerifier::compare(std::size_t index, const json::Payload& recorded, const json::Payload& now, bool is_list) {
  const auto redacted = is_list || now.empty() ? now : json::Payload::trusted(diff_.redacted(now.text()));
  for (const auto& each : diff_.differences(recorded, redacted)) add_difference(index, each);
}

void ReplayVerifier::compare(std::size_t index, const Result<Reply>& recorded, const Result<Reply>& now, bool is_list) {
  if (recorded && now) {
    compare(index, recorded->body, now->body, is_list);
    if (recorded->kind != now->kind || recorded->other_kind != now->other_kind)
      add_difference(index, "another resultType");
  } else if (!recorded && !now) {
    compare(index, error_as_payload(recorded.error()), error_as_payload(now.error()), false);
  } else if (now) {
    add_difference(index, fmt::format("a result instead of the error '{}'", recorded.error().message));
  } else {
    add_difference(index, fmt::format("the error '{}' instead of a result", diff_.redacted(now.error().message)));
  }
}

void ReplayVerifier::add_difference(std::size_t index, const std::string& what) {
  const auto& line = recording_.lines[index];
  const bool is_reply = line.kind == LineKind::reply;
  const auto& about = is_reply ? recording_.lines[calls_.at(*line.call)] : line;
  differences_.push_back(fmt::format("{}: {}{}: {}", recording_.place(index), is_reply ? "the reply to " : "",
                                     describe_line(about), what));
}

void ReplayVerifier::report_unexpected(const CapturedChannel& channel, std::optional<std::size_t> call) {
  if (lenient_) return;
  const auto where = call ? recording_.place(*call) + ": " + describe_line(recording_.lines[*call]) : recording_.path;
  for (const auto& each : channel.messages) {
    // Sent by a server that was just started when its lists are complete.
    if (!call && each.method.ends_with("/list_changed")) continue;
    const auto params = each.params.empty() ? "{}" : diff_.redacted(each.params.text());
    differences_.push_back(fmt::format("{}: {} was not recorded: {}", where, each.method, params));
  }
}

}  // namespace fairlead::gateway
