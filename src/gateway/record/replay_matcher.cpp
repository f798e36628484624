#include "gateway/record/replay_matcher.hpp"

#include <algorithm>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>

#include "gateway/model/call_label.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;

// The params of initialize and discover describe the client, not the request.
bool is_introduction(std::string_view method) {
  return method == protocol::Initialize::method || method == protocol::Discover::method;
}

}  // namespace

ReplayMatcher::ReplayMatcher(const RecordingIndex& recording_index, bool lenient, std::vector<std::string> ignore)
    : index_(recording_index), lenient_(lenient), diff_(std::move(ignore)) {}

Result<std::size_t> ReplayMatcher::call(const Call& call) {
  if (lenient_) return anywhere(call);
  const auto* session = recorded_as(call.context.session_key);
  return session != nullptr ? next_of(session->key, call) : first_of_any(call);
}

Result<std::size_t> ReplayMatcher::next_of(std::uint64_t recorded, const Call& call) {
  const auto& calls =
      std::ranges::find(index_.active_sessions(), recorded, &RecordingIndex::RecordedSession::key)->calls;
  const auto next = std::ranges::find_if(calls, [&](auto index) { return !used_.contains(index); });
  if (next == calls.end()) return unexpected_call(call, "the recorded session has no further calls");
  const auto found = differences(*next, call);
  if (found.empty()) return take(*next, call);
  return unexpected_call(call, fmt::format("{} expects {}: {}", index_.recording().place(*next),
                                           describe_line(index_.line(*next)), found.front()));
}

Result<std::size_t> ReplayMatcher::first_of_any(const Call& call) {
  std::string why = "all recorded sessions are in use";
  bool is_first = true;
  for (const auto& session : index_.active_sessions()) {
    if (session.calls.empty() || is_matched(session.key)) continue;
    const auto first = session.calls.front();
    const auto found = differences(first, call);
    if (found.empty()) return take(first, call);
    if (!std::exchange(is_first, false)) continue;
    why = fmt::format("{} expects {}: {}", index_.recording().place(first), describe_line(index_.line(first)),
                      found.front());
  }
  return unexpected_call(call, why);
}

Result<std::size_t> ReplayMatcher::anywhere(const Call& call) {
  const auto* own = recorded_as(call.context.session_key);
  std::optional<std::size_t> unused, again;
  const auto look_at = [&](std::size_t index) {
    if (unused || index_.line(index).method != call.method || !differences(index, call).empty()) return;
    if (used_.contains(index)) {
      again = index;
    } else {
      unused = index;
    }
  };
  if (own != nullptr) std::ranges::for_each(own->calls, look_at);
  for (const auto& each : index_.active_sessions()) std::ranges::for_each(each.calls, look_at);
  if (!unused && !again) return unexpected_call(call, "the recording has no such call");
  return take(unused ? *unused : *again, call);
}

std::vector<std::string> ReplayMatcher::differences(std::size_t index, const Call& call) {
  const auto& line = index_.line(index);
  if (line.method != call.method) return {fmt::format("method: {} instead of {}", call.method, *line.method)};
  if (is_introduction(call.method)) return {};
  const auto recorded = line.params.value_or(json::Payload());
  if (recorded == call.params) return {};
  const auto now = call.params.empty() ? json::Payload() : json::Payload::trusted(diff_.redacted(call.params.text()));
  return diff_.differences(recorded, now);
}

std::size_t ReplayMatcher::take(std::size_t index, const Call& call) {
  used_.insert(index);
  const auto recorded = index_.line(index).session;
  if (!is_matched(recorded)) matched_sessions_.try_emplace(call.context.session_key, recorded);
  return index;
}

// A client that probes with server/discover must get method_not_found to fall back.
std::unexpected<Error> ReplayMatcher::unexpected_call(const Call& call, const std::string& why) const {
  const bool probes = call.method == protocol::Discover::method;
  return std::unexpected(Error{.kind = ErrorKind::refused,
                               .message = fmt::format("{} does not match the recording: {}", call_label(call), why),
                               .code = probes ? jsonrpc::code::method_not_found : jsonrpc::code::invalid_request});
}

std::optional<std::size_t> ReplayMatcher::notification(const session::Notification& notice) {
  const auto* own = recorded_as(notice.session_key);
  const auto& lines = index_.recording().lines;
  for (std::size_t index = 0; index < lines.size(); ++index) {
    const auto& line = lines[index];
    if (line.kind != LineKind::notification || line.method != notice.method || used_.contains(index)) continue;
    if (own != nullptr && line.session != own->key) continue;
    used_.insert(index);
    return index;
  }
  return std::nullopt;
}

void ReplayMatcher::session_closed(std::uint64_t live) {
  std::erase(present_, live);
}

std::optional<std::uint64_t> ReplayMatcher::live(std::uint64_t recorded) {
  const auto found = std::ranges::find(matched_sessions_, recorded, [](const auto& role) { return role.second; });
  if (found != matched_sessions_.end()) return found->first;
  // A session without calls is matched to a live session without calls.
  const auto role = std::ranges::find(index_.active_sessions(), recorded, &RecordingIndex::RecordedSession::key);
  if (role == index_.active_sessions().end() || !role->calls.empty()) return std::nullopt;
  const auto without_calls = std::ranges::find_if(present_, [&](auto key) { return !matched_sessions_.contains(key); });
  if (without_calls == present_.end()) return std::nullopt;
  matched_sessions_.emplace(*without_calls, recorded);
  return *without_calls;
}

const RecordingIndex::RecordedSession* ReplayMatcher::recorded_as(std::uint64_t live) const {
  const auto role = matched_sessions_.find(live);
  if (role == matched_sessions_.end()) return nullptr;
  const auto found = std::ranges::find(index_.active_sessions(), role->second, &RecordingIndex::RecordedSession::key);
  return found == index_.active_sessions().end() ? nullptr : &*found;
}

bool ReplayMatcher::is_matched(std::uint64_t recorded) const {
  return std::ranges::any_of(matched_sessions_, [&](const auto& role) { return role.second == recorded; });
}

}  // namespace fairlead::gateway
